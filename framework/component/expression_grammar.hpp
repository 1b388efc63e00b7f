#pragma once
#include <muParser.h>

#include <map>
#include <string>

namespace arthron {

/// muParser with nothing of its own but the grammar; what it reads, the recorder that is at work writes down.
class ExpressionGrammar : public mu::ParserBase {
 public:
  ExpressionGrammar();
  /// The handle of the text's value. Throws ExpressionError.
  double evaluate(const std::string& text);

 private:
  void InitCharSets() override;
  void InitConst() override {}
  void InitOprt() override;
  void InitFun() override;
};

/// pi, e and deg.
[[nodiscard]] const std::map<std::string, double>& built_in_constants();

}  // namespace arthron
