#include "report/page.hpp"

#include "arthron/plan/dot_text.hpp"
#include "arthron/scene/packed_text.hpp"

namespace arthron::cli {
namespace {

constexpr std::string_view style = R"css(
@page { size: A4; margin: 14mm 15mm 16mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1000px; padding: 28px 32px 60px; background: #fff; color: #1d2530;
       font: 14px/1.5 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
header { border-bottom: 3px solid #4a6fa5; padding-bottom: 12px; margin-bottom: 18px; }
h1 { font-size: 27px; line-height: 1.2; margin: 0 0 4px; font-weight: 600; overflow-wrap: anywhere; }
h2 { font-size: 18px; margin: 34px 0 10px; padding-bottom: 4px; border-bottom: 1px solid #c9d3e0; color: #2c4a75; font-weight: 600; }
h3 { font-size: 14px; margin: 18px 0 6px; color: #2c4a75; font-weight: 600; }
p { margin: 6px 0; max-width: 78ch; }
.quiet { color: #5d6876; }
.kind { text-transform: uppercase; letter-spacing: .09em; font-size: 11px; color: #5d6876; margin: 0 0 6px; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 12px; font-size: 12.5px; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 3px 8px; border-bottom: 1px solid #e4e9ef; vertical-align: top; }
th { color: #5d6876; font-weight: 600; border-bottom: 1px solid #9db0c8; white-space: nowrap; }
th:first-child, td:first-child, table.words th, table.words td { text-align: left; }
td { overflow-wrap: anywhere; }
table.words td:first-child { min-width: 20ch; }
table.values td:nth-last-child(2), table.values th:nth-last-child(2) { text-align: left; }
table.values td:last-child, table.values th:last-child { text-align: left; white-space: normal; color: #5d6876; }
table.values td:first-child { min-width: 19ch; }
table.facts { width: auto; min-width: 60%; }
table.facts td:first-child { color: #5d6876; padding-right: 28px; white-space: nowrap; }
table.facts td { text-align: left; }
table.numbers td:not(:first-child) { white-space: nowrap; }
table.small { width: auto; min-width: 45%; }
table.dense { font-size: 11.5px; }
table.dense td, table.dense th { padding: 1px 8px; }
.cards { display: flex; flex-wrap: wrap; gap: 10px; margin: 14px 0 6px; }
.card { flex: 1 1 130px; border: 1px solid #d5dde8; border-radius: 6px; padding: 8px 12px; background: #f7f9fc; }
.card b { display: block; font-size: 18px; font-weight: 600; color: #1d2530; white-space: nowrap; }
.card span { font-size: 11.5px; color: #5d6876; }
ul.remarks { list-style: none; padding: 0; margin: 10px 0; }
ul.remarks li { border-left: 4px solid #9db0c8; background: #f4f6f9; padding: 6px 12px; margin: 6px 0; overflow-wrap: anywhere; }
ul.remarks li.warning { border-color: #c08a2d; background: #fdf6e8; }
ul.remarks li.failure { border-color: #b05050; background: #fbeeee; }
ul.remarks li.good { border-color: #4f8a5b; background: #f0f7f1; }
ul.remarks b { font-weight: 600; }
ul.lines { padding-left: 18px; margin: 6px 0; }
ul.lines li { margin: 3px 0; overflow-wrap: anywhere; }
figure { margin: 10px 0; }
figure img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption { font-size: 12px; color: #5d6876; margin-top: 4px; }
footer { break-before: avoid; margin-top: 24px; border-top: 1px solid #c9d3e0; padding-top: 8px; font-size: 11.5px; color: #5d6876; }
@media print {
  body { max-width: none; padding: 0; font-size: 9pt; }
  h1 { font-size: 19pt; } h2 { font-size: 12.5pt; margin-top: 7mm; } h3 { font-size: 9.5pt; }
  table { font-size: 7.8pt; } table.dense { font-size: 7pt; }
  .card b { font-size: 12pt; } .card span { font-size: 7.5pt; }
  ul.remarks li { margin: 3px 0; padding: 4px 10px; }
  h2, h3 { break-after: avoid; }
  .cards, figure, ul.remarks li, tr { break-inside: avoid; }
  figure img { max-height: 235mm; }
  thead { display: table-header-group; }
  section.page { break-before: page; }
  section.page h2 { margin-top: 0; }
  body, .card, ul.remarks li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

}  // namespace

std::string escaped(std::string_view text) { return html_text(text); }

std::string picture(const std::string& svg, const std::string& description) {
  return "<figure><img alt=\"" + escaped(description) + "\" src=\"data:image/svg+xml;base64," + base64(svg) + "\"/></figure>\n";
}

std::string to_html(const Table& table) {
  std::string text = "<table class=\"" + std::string(table.words ? "words " : "numbers ") + table.style + "\">\n";
  const auto row = [&](const std::vector<std::string>& cells, const std::string& tag) {
    text += "<tr>";
    for (const std::string& cell : cells) text += '<' + tag + '>' + cell + "</" + tag + '>';
    text += "</tr>\n";
  };
  if (!table.head.empty()) {
    text += "<thead>";
    row(table.head, "th");
    text += "</thead>\n";
  }
  text += "<tbody>\n";
  for (const auto& cells : table.rows) row(cells, "td");
  return text + "</tbody>\n</table>\n";
}

std::string page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
         "'unsafe-inline'\"/>\n<title>" +
         escaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n</head>\n<body>\n" + body + "</body>\n</html>\n";
}

std::string section(const std::string& heading, const std::string& body, bool begins_page) {
  return "<section" + std::string(begins_page ? " class=\"page\"" : "") + ">\n<h2>" + escaped(heading) + "</h2>\n" + body + "</section>\n";
}

std::string paragraph(const std::string& text) { return "<p>" + escaped(text) + "</p>\n"; }

}  // namespace arthron::cli
