#pragma once
#include <array>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "arthron/component/vector_expression.hpp"

namespace arthron {

/// Lets muParser do the reading and writes down what it would have computed: every operator and function handed to it records one
/// operation and returns the operation's number, so that "evaluating" the text once leaves the list of its operations. A vector is the
/// numbers of three operations; what muParser holds of it is a number below zero.
class ExpressionRecorder {
 public:
  using Op = Expression::Op;
  using Operation = Expression::Operation;

  ExpressionRecorder(const std::vector<std::string>& variables, const std::map<std::string, double>& constants,
                     const NamedVectors& vectors);
  ~ExpressionRecorder() { active_ = nullptr; }
  ExpressionRecorder(const ExpressionRecorder&) = delete;
  ExpressionRecorder& operator=(const ExpressionRecorder&) = delete;

  VectorExpression record(const std::string& text);

  template <Op op>
  static double unary(double a) {
    return active_->append({op, active_->number(a)});
  }
  template <Op op>
  static double binary(double a, double b) {
    return active_->append({op, active_->number(a), active_->number(b)});
  }
  template <Op op>
  static double fold_left(const double* values, int count) {
    double result = values[0];
    for (int i = 1; i < count; ++i) result = binary<op>(result, values[i]);
    return result;
  }
  static double literal(double value) { return active_->append({Op::constant, -1, -1, -1, value}); }
  static double identity(double a) { return a; }
  static double logical_not(double a) { return binary<Op::equal>(a, literal(0)); }
  static double select(double condition, double yes, double no);
  /// h0 below x0, h1 above x1, a cubic with level ends between.
  static double step(double x, double x0, double h0, double x1, double h1);

  // Numbers or vectors, as the operands are.
  static double plus(double a, double b);
  static double minus(double a, double b);
  static double times(double a, double b);
  static double over(double a, double b);
  static double negative(double a);
  template <int component>
  static double component_of(double a) {
    return active_->vector(a, ".x, .y and .z are components of vectors")[component];
  }
  static double dot(double a, double b);
  static double cross(double a, double b);
  static double norm(double a);
  static double unit(double a);
  static double rotate(double a, double axis, double angle);
  static double mirror(double a, double normal);

  /// A number, a list or a name that begins the text; 0 for none of them.
  static int read_value(const char* text, int* position, double* handle);

 private:
  using Triple = std::array<double, 3>;
  /// What muParser made of a text: the operations in its order, before any of them is computed; of a name there is the name.
  struct Reading {
    struct Entry {
      Operation operation;
      std::string name;
    };
    std::vector<Entry> entries;
    std::vector<int> result;
    bool anywhere = true;  // holds in every scope in which its names are numbers and vectors as they were
  };
  /// The same texts are read again and again: by every copy of a subsystem, and by every variant of a study.
  static std::map<std::string, Reading>& readings();
  double evaluate(const std::string& text);
  void read(const std::string& text);
  bool repeat(const Reading& reading);
  double append_name(const std::string& name);
  double append_number(const std::string& name);
  int read_literal(const char* text, int* position, double* handle);
  int read_name(const char* text, int* position, double* handle);
  int read_list(const char* text, int* position, double* handle);
  int read_unit_behind(const char* text, int* position, double& value);
  [[nodiscard]] bool is_known(const std::string& name) const;
  [[nodiscard]] bool is_number_name(const std::string& name) const;

  static bool is_vector(double handle) { return handle < 0; }
  [[nodiscard]] int number(double handle) const;
  [[nodiscard]] const Triple& vector(double handle, const char* otherwise) const;
  double append(Operation operation);
  double make_vector(const Triple& components);
  template <class Function>
  static double each(double a, double b, const char* mixed, const Function& function);
  [[nodiscard]] bool is_constant(int operand) const { return operand < 0 || operations_[operand].op == Op::constant; }
  [[nodiscard]] Expression needed_for(int result) const;

  static thread_local ExpressionRecorder* active_;
  const std::vector<std::string>& variables_;
  const std::map<std::string, double>& constants_;
  const NamedVectors& vectors_;
  std::vector<Operation> operations_;
  std::vector<double> values_;           // of the constant operations
  std::deque<Triple> triples_;           // the vectors
  std::map<std::string, double> names_;  // that have been read, and what stands for them
  int depth_ = 0;                        // of lists within lists
  Reading reading_;
};

}  // namespace arthron
