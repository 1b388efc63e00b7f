#include "arthron/component/expression_grammar.hpp"

#include <algorithm>
#include <numbers>

#include "arthron/component/expression_recorder.hpp"

namespace arthron {

namespace {

using Recorder = ExpressionRecorder;
using Op = ExpressionRecorder::Op;

ExpressionError in_words(const mu::ParserError& error) {
  std::string token = error.GetToken();
  token.erase(token.find_last_not_of(' ') + 1);
  const std::string quoted = "\"" + token + "\"";
  const int position = error.GetPos() < 0 ? 0 : error.GetPos() + 1;
  switch (error.GetCode()) {
    case mu::ecEMPTY_EXPRESSION: return {"empty", "", 0};
    case mu::ecUNEXPECTED_EOF: return {"it ends too early", "", 0};
    case mu::ecMISSING_PARENS: return {"missing \")\"", "", 0};
    case mu::ecTOO_MANY_PARAMS: return {"too many arguments for " + quoted, "", 0};
    case mu::ecTOO_FEW_PARAMS: return {"too few arguments for " + quoted, "", 0};
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
    case mu::ecUNEXPECTED_VAL: return {"unexpected " + quoted + " (a product is written *, as in 2*t)", "", position};
    default:
      if (token.starts_with('*')) return {"unexpected " + quoted + " (a power is written ^, as in 2^t)", "", position};
      return {token.empty() ? "not an expression" : "unexpected " + quoted, "", position};
  }
}

}  // namespace

ExpressionGrammar::ExpressionGrammar() {
  EnableBuiltInOprt(false);
  Init();
  EnableOptimizer(false);
  AddValIdent(Recorder::read_value);
}

double ExpressionGrammar::evaluate(const std::string& text) {
  try {
    SetExpr(text);
    const double result = Eval();
    if (GetNumResults() != 1) throw ExpressionError("unexpected \",\": one value is wanted", "", 0);
    return result;
  } catch (const mu::ParserError& error) {
    throw in_words(error);
  }
}

void ExpressionGrammar::InitCharSets() {
  DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  DefineOprtChars("+-*/^<>=!&|.xyz");
  DefineInfixOprtChars("+-!");
}

void ExpressionGrammar::InitOprt() {
  DefineOprt("||", Recorder::binary<Op::logical_or>, mu::prLOR);
  DefineOprt("&&", Recorder::binary<Op::logical_and>, mu::prLAND);
  DefineOprt("<", Recorder::binary<Op::less>, mu::prCMP);
  DefineOprt("<=", Recorder::binary<Op::less_equal>, mu::prCMP);
  DefineOprt(">", Recorder::binary<Op::greater>, mu::prCMP);
  DefineOprt(">=", Recorder::binary<Op::greater_equal>, mu::prCMP);
  DefineOprt("==", Recorder::binary<Op::equal>, mu::prCMP);
  DefineOprt("!=", Recorder::binary<Op::not_equal>, mu::prCMP);
  DefineOprt("+", Recorder::plus, mu::prADD_SUB);
  DefineOprt("-", Recorder::minus, mu::prADD_SUB);
  DefineOprt("*", Recorder::times, mu::prMUL_DIV);
  DefineOprt("/", Recorder::over, mu::prMUL_DIV);
  DefineOprt("^", Recorder::binary<Op::power>, mu::prPOW, mu::oaRIGHT);
  DefineInfixOprt("-", Recorder::negative, mu::prINFIX, false);
  DefineInfixOprt("+", Recorder::identity, mu::prINFIX, false);
  DefineInfixOprt("!", Recorder::logical_not, mu::prINFIX, false);
  DefinePostfixOprt(".x", Recorder::component_of<0>, false);
  DefinePostfixOprt(".y", Recorder::component_of<1>, false);
  DefinePostfixOprt(".z", Recorder::component_of<2>, false);
}

void ExpressionGrammar::InitFun() {
  DefineFun("sin", Recorder::unary<Op::sin>, false);
  DefineFun("cos", Recorder::unary<Op::cos>, false);
  DefineFun("tan", Recorder::unary<Op::tan>, false);
  DefineFun("asin", Recorder::unary<Op::asin>, false);
  DefineFun("acos", Recorder::unary<Op::acos>, false);
  DefineFun("atan", Recorder::unary<Op::atan>, false);
  DefineFun("atan2", Recorder::binary<Op::atan2>, false);
  DefineFun("sinh", Recorder::unary<Op::sinh>, false);
  DefineFun("cosh", Recorder::unary<Op::cosh>, false);
  DefineFun("tanh", Recorder::unary<Op::tanh>, false);
  DefineFun("exp", Recorder::unary<Op::exp>, false);
  DefineFun("log", Recorder::unary<Op::log>, false);
  DefineFun("ln", Recorder::unary<Op::log>, false);
  DefineFun("log10", Recorder::unary<Op::log10>, false);
  DefineFun("sqrt", Recorder::unary<Op::sqrt>, false);
  DefineFun("abs", Recorder::unary<Op::abs>, false);
  DefineFun("sign", Recorder::unary<Op::sign>, false);
  DefineFun("min", Recorder::fold_left<Op::min>, false);
  DefineFun("max", Recorder::fold_left<Op::max>, false);
  DefineFun("step", Recorder::step, false);
  DefineFun("if", Recorder::select, false);
  DefineFun("dot", Recorder::dot, false);
  DefineFun("cross", Recorder::cross, false);
  DefineFun("norm", Recorder::norm, false);
  DefineFun("unit", Recorder::unit, false);
  DefineFun("rotate", Recorder::rotate, false);
  DefineFun("mirror", Recorder::mirror, false);
}

const std::map<std::string, double>& built_in_constants() {
  static const std::map<std::string, double> constants{{"pi", std::numbers::pi}, {"e", std::numbers::e}, {"deg", std::numbers::pi / 180}};
  return constants;
}

const std::vector<std::string>& vector_function_names() {
  static const std::vector<std::string> names{"cross", "dot", "mirror", "norm", "rotate", "unit"};
  return names;
}

const std::vector<std::string>& Expression::known_names() {
  static const std::vector<std::string> names = [] {
    const ExpressionGrammar grammar;
    std::vector<std::string> all;
    for (const auto& [name, callback] : grammar.GetFunDef()) all.push_back(name);
    for (const auto& [name, value] : built_in_constants()) all.push_back(name);
    std::sort(all.begin(), all.end());
    return all;
  }();
  return names;
}

}  // namespace arthron
