#include "pages/pages.hpp"

namespace arthron::cli {

std::string_view view_page() { return {}; }
std::string_view plot_page() { return {}; }

}  // namespace arthron::cli
