// Numbers as text. They are rounded, never cut, so they equal those of a table to the digits shown.

/// Six digits; the whole number is for the title.
export function number(value, digits = 6) {
  if (value === undefined || value === null) return "";
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  const text = value.toPrecision(digits);
  return text.includes("e") ? String(Number(text)) : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/// Time with as many decimals as frames need, all alike so that nothing jumps.
export function seconds(t, step) {
  const decimals = Math.min(6, Math.max(2, Math.ceil(-Math.log10(step || 0.01) - 1e-9)));
  return t.toFixed(decimals);
}

/// 1, 2 or 5 times a power of ten, at least x.
export function nice(x) {
  const power = 10 ** Math.floor(Math.log10(x)), m = x / power;
  return (m <= 1.0001 ? 1 : m <= 2.0001 ? 2 : m <= 5.0001 ? 5 : 10) * power;
}
