// A report: one HTML page that holds data, styles and scripts.
#include "sim/report/html.hpp"

#include <filesystem>
#include <map>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/base/installation.hpp"
#include "sim/report/page_data.hpp"

namespace weft {
using nlohmann::json;
namespace {

// Path of the library in its package.
constexpr const char* kLibrary = "/usr/share/javascript/d3/d3.min.js";
// In the order in which they are run.
constexpr const char* kScripts[] = {"basics.js", "chart.js",   "summary.js",    "latency.js",
                                    "places.js", "network.js", "link_map.js",   "links.js",
                                    "time.js",   "losses.js",  "sweep_data.js", "sweep_plot.js",
                                    "sweep.js",  "page.js"};

std::string page_file(const std::filesystem::path& file, const char* expected) {
  std::string text = try_read_file(file).text;
  if (text.empty()) throw ConfigError(file.string(), "", "", expected);
  return text;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
}

// Escapes a text for an element.
std::string html_text(std::string text) {
  replace_all(text, "&", "&amp;");
  replace_all(text, "<", "&lt;");
  replace_all(text, ">", "&gt;");
  return text;
}

// Names come from anywhere: no text in the data may end or begin an element.
std::string json_in_html(const json& data) {
  std::string text = data.dump(-1, ' ', false, json::error_handler_t::replace);
  replace_all(text, "<", "\\u003c");
  return text;
}

}  // namespace

std::string report_html(const std::string& title, const json& results) {
  const std::filesystem::path folder = source_dir() / "sim" / "report" / "page";
  const char* const ours = "a file of the checkout";
  std::map<std::string, std::string> parts;
  parts["title"] = html_text(title);
  parts["style"] = page_file(folder / "page.css", ours);
  parts["library"] = page_file(kLibrary, "the library d3: package libjs-d3 has it");
  for (const char* script : kScripts) parts["scripts"] += page_file(folder / script, ours) + "\n";
  for (const char* script : {"library", "scripts"}) {
    replace_all(parts[script], "</script", "<\\/script");
  }
  parts["data"] = json_in_html({{"words", page_words()}, {"results", results}});

  // Each {{part}} of the page is replaced once; the replacement is not searched.
  const std::string page = page_file(folder / "page.html", ours);
  std::string html;
  std::size_t begin = 0;
  for (std::size_t at; (at = page.find("{{", begin)) != std::string::npos;) {
    const std::size_t end = page.find("}}", at);
    html += page.substr(begin, at - begin) + parts.at(page.substr(at + 2, end - at - 2));
    begin = end + 2;
  }
  return html + page.substr(begin);
}

}  // namespace weft
