#include "support/fuzz/text_damage.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <vector>

namespace arthron::fuzz {

namespace {

std::string text_of(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; }

/// Names and numbers as a whole, all else one character each.
std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i]))
      while (end < text.size() && is_word(text[end])) ++end;
    list.push_back(text.substr(i, end - i));
    i = end;
  }
  return list;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string whole;
  for (std::size_t i = 0; i < count; ++i) whole += text;
  return whole;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Texts that are trouble in any place of a file.
std::string intruder(Random& random) {
  static const std::array<std::string, 16> texts{std::string(1, '\0'),
                                                 "\xff",
                                                 "\xc3",
                                                 "\xed\xa0\x80",
                                                 "\xf8\x88\x80\x80\x80",
                                                 "\xef\xbb\xbf",
                                                 "\xff\xfe",
                                                 "\xe2\x80\xae",
                                                 "// remark\n",
                                                 "/* */",
                                                 ",",
                                                 "\"",
                                                 "\\u0000",
                                                 std::string(400, '9'),
                                                 "\r",
                                                 "'"};
  return random.one_of(texts);
}

}  // namespace

std::string misspelt(std::string word, Random& random) {
  if (word.empty()) return "x";
  const std::size_t place = random.pick(word.size());
  switch (random.pick(6)) {
    case 0: word.erase(place, 1); break;
    case 1: word.insert(place, 1, 'q'); break;
    case 2: std::swap(word[place], word[(place + 1) % word.size()]); break;
    case 3: word[place] = static_cast<char>(' ' + random.pick(95)); break;
    case 4: word.insert(place, intruder(random)); break;
    default: word += word;
  }
  return word;
}

std::string other_expression(const std::string& expression, Random& random) {
  static const std::array<std::string, 30> words{"0",   "1e308", "1e-320", "t",  "x",    "q",     "pi",  "-1", "1e20", "0.5",
                                                 "sin", "sqrt",  "log",    "if", "step", "atan2", "min", "(",  ")",    ",",
                                                 "+",   "-",     "*",      "/",  "^",    "<",     "&&",  "!",  "!=",   "(1/0)"};
  static const std::array<std::string, 14> frames{
      "=sqrt(%)",    "=1/(%)",           "=(%)^(%)",   "=log(%)",         "=if(t > 0.004, %, -(%))",
      "=1e300*(%)",  "=tan(pi/2*(%))",   "=(%)/(t-t)", "=-(%)",           "=step(%, 0, 0, 0, 1)",
      "=abs(%)^0.5", "=atan2(0*(%), 0)", "=(%)*t^2.5", "=exp(1000*t)*(%)"};
  std::vector<std::string> parts = tokens(expression.substr(std::min<std::size_t>(expression.size(), 1)));
  const std::string body = joined(parts, "");
  switch (random.pick(7)) {
    case 0:
      if (parts.empty()) return "=";
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(random.pick(parts.size())));
      break;
    case 1:
    case 2:
      if (parts.empty()) return "=t";
      random.one_of(parts) = random.one_of(words);
      break;
    case 3: parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(random.pick(parts.size() + 1)), random.one_of(words)); break;
    case 4: {
      std::string framed = random.one_of(frames);
      for (std::size_t at; (at = framed.find('%')) != std::string::npos;) framed.replace(at, 1, body);
      return framed;
    }
    case 5: {
      const std::size_t depth = random.one_of({5, 70, 3000, 60000});
      return "=" + repeated("(", depth) + body + repeated(")", depth);
    }
    default: {  // once more may come on top of that
      constexpr std::size_t longest = 300'000;
      return "=" + body + repeated("+" + body, std::min(random.one_of({1, 300, 5000}), longest / (body.size() + 1)));
    }
  }
  return "=" + joined(parts, "");
}

std::string strange_number(double number, Random& random) {
  static const std::array<std::string, 36> fixed{"0",
                                                 "-0.0",
                                                 "1",
                                                 "-1",
                                                 "0.5",
                                                 "2",
                                                 "1e-12",
                                                 "1e-320",
                                                 "4.9e-324",
                                                 "1e-308",
                                                 "-1e-300",
                                                 "1e-20",
                                                 "1e-9",
                                                 "1e6",
                                                 "1e9",
                                                 "1e12",
                                                 "1e15",
                                                 "1e20",
                                                 "-1e20",
                                                 "1e21",
                                                 "1e100",
                                                 "1e300",
                                                 "1e308",
                                                 "-1e308",
                                                 "1e999",
                                                 "NaN",
                                                 "-Infinity",
                                                 "2147483648",
                                                 "4294967296",
                                                 "9007199254740993",
                                                 "18446744073709551616",
                                                 "-9223372036854775809",
                                                 "1e19",
                                                 "0.1e1",
                                                 "3e8",
                                                 "1.7976931348623157e308"};
  static const std::array<double, 10> factors{-1, 2, 0.5, 10, 1e3, 1e9, -1e-9, 1e-3, 1 + 1e-15, 1e-6};
  if (random.chance(50)) return text_of(number * random.one_of(factors));
  if (random.chance(10)) return text_of(number + 1);
  return random.one_of(fixed);
}

std::string damaged_bytes(std::string text, Random& random) {
  if (text.empty()) return intruder(random);
  const std::size_t place = random.pick(text.size());
  switch (random.pick(14)) {
    case 0:
    case 1: text.resize(place); break;
    case 2:
    case 3: text[place] = static_cast<char>(text[place] ^ (1 << random.pick(8))); break;
    case 4: text.insert(place, 1, static_cast<char>(random.pick(256))); break;
    case 5: text.erase(place, 1 + random.pick(20)); break;
    case 6:
    case 7: text.insert(place, intruder(random)); break;
    case 8: text.insert(0, random.chance(50) ? "\xef\xbb\xbf" : "\xff\xfe"); break;
    case 9: text.insert(place, text.substr(random.pick(text.size()), random.pick(300))); break;
    case 10: text.insert(place, repeated(random.chance(50) ? "[" : "{\"a\":", random.one_of({10, 65, 100000}))); break;
    case 11: text.erase(place, random.pick(text.size())); break;
    case 12: {
      std::string lines;
      for (const char c : text) lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
      return lines;
    }
    default: text += random.chance(50) ? text : std::string("}");
  }
  return text;
}

std::string damaged_table(const std::string& text, Random& random) {
  if (random.chance(20)) return damaged_bytes(text, random);
  std::vector<std::string> lines = split(text, '\n');
  if (lines.empty()) return ",";
  const std::size_t row = random.chance(30) ? 0 : random.pick(lines.size());
  std::vector<std::string> cells = split(lines[row], ',');
  if (cells.empty()) cells.emplace_back();
  const std::size_t column = random.pick(cells.size());
  switch (random.pick(10)) {
    case 0:
    case 1:
    case 2: cells[column] = strange_number(static_cast<double>(row) + 1, random); break;
    case 3: cells[column] = misspelt(cells[column], random); break;
    case 4: cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(column)); break;
    case 5: cells.insert(cells.begin() + static_cast<std::ptrdiff_t>(column), cells[column]); break;
    case 6: cells[column] = random.chance(50) ? "" : '"' + cells[column] + (random.chance(50) ? "\"" : ""); break;
    case 7:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(random.chance(50) ? row : 0),
                  lines.begin() + static_cast<std::ptrdiff_t>(row));
      return joined(lines, "\n");
    case 8:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(random.pick(lines.size())), random.chance(50) ? lines[row] : "");
      return joined(lines, "\n");
    default: cells.insert(cells.end(), random.one_of({1, 50, 20000}), cells[column]);
  }
  lines[row] = joined(cells, ",");
  return joined(lines, "\n") + (random.chance(90) ? "\n" : "");
}

}  // namespace arthron::fuzz
