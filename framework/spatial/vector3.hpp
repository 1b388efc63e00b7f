#pragma once
#include <cmath>
#include <type_traits>

/// Three-dimensional algebra on plain structs of scalars. Templated on the scalar so that the same kernels run on double, on dual
/// numbers and on SIMD lanes; trivially copyable, so that State and Workspace are too, and free of Eigen's alignment rules.
namespace arthron {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  Vector3& operator+=(const Vector3& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  Vector3& operator-=(const Vector3& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  friend bool operator==(const Vector3&, const Vector3&) = default;
};

template <class T>
Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vector3<T> operator-(const Vector3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vector3<T> operator*(const std::type_identity_t<T>& s, const Vector3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
T dot(const Vector3<T>& a, const Vector3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const Vector3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
Vector3<T> normalized(const Vector3<T>& a) {
  return (T(1) / norm(a)) * a;
}

/// 3 x 3 matrix by columns.
template <class T>
struct Matrix3 {
  Vector3<T> c0, c1, c2;

  static Matrix3 identity() { return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}; }
  static Matrix3 zero() { return {}; }
  Matrix3& operator+=(const Matrix3& b) {
    c0 += b.c0, c1 += b.c1, c2 += b.c2;
    return *this;
  }
  friend bool operator==(const Matrix3&, const Matrix3&) = default;
};

template <class T>
Matrix3<T> operator+(const Matrix3<T>& a, const Matrix3<T>& b) {
  return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
}
template <class T>
Matrix3<T> operator-(const Matrix3<T>& a, const Matrix3<T>& b) {
  return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
template <class T>
Vector3<T> operator*(const Matrix3<T>& m, const Vector3<T>& v) {
  return {m.c0.x * v.x + m.c1.x * v.y + m.c2.x * v.z, m.c0.y * v.x + m.c1.y * v.y + m.c2.y * v.z,
          m.c0.z * v.x + m.c1.z * v.y + m.c2.z * v.z};
}
template <class T>
Matrix3<T> operator*(const Matrix3<T>& a, const Matrix3<T>& b) {
  return {a * b.c0, a * b.c1, a * b.c2};
}
template <class T>
Matrix3<T> transpose(const Matrix3<T>& m) {
  return {{m.c0.x, m.c1.x, m.c2.x}, {m.c0.y, m.c1.y, m.c2.y}, {m.c0.z, m.c1.z, m.c2.z}};
}
/// m^T v without forming the transpose.
template <class T>
Vector3<T> transposed_times(const Matrix3<T>& m, const Vector3<T>& v) {
  return {dot(m.c0, v), dot(m.c1, v), dot(m.c2, v)};
}

/// Symmetric 3 x 3 matrix.
template <class T>
struct Symmetric3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  Symmetric3& operator+=(const Symmetric3& b) {
    xx += b.xx, yy += b.yy, zz += b.zz, xy += b.xy, xz += b.xz, yz += b.yz;
    return *this;
  }
  friend bool operator==(const Symmetric3&, const Symmetric3&) = default;
};

template <class T>
Vector3<T> operator*(const Symmetric3<T>& m, const Vector3<T>& v) {
  return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class T>
Symmetric3<T> operator+(Symmetric3<T> a, const Symmetric3<T>& b) {
  return a += b;
}

/// R S R^T.
template <class T>
Symmetric3<T> rotated(const Matrix3<T>& R, const Symmetric3<T>& S) {
  // Columns of R S, then only the upper half of (R S) R^T.
  const Vector3<T> a = S.xx * R.c0 + S.xy * R.c1 + S.xz * R.c2;
  const Vector3<T> b = S.xy * R.c0 + S.yy * R.c1 + S.yz * R.c2;
  const Vector3<T> c = S.xz * R.c0 + S.yz * R.c1 + S.zz * R.c2;
  return {a.x * R.c0.x + b.x * R.c1.x + c.x * R.c2.x, a.y * R.c0.y + b.y * R.c1.y + c.y * R.c2.y,
          a.z * R.c0.z + b.z * R.c1.z + c.z * R.c2.z, a.x * R.c0.y + b.x * R.c1.y + c.x * R.c2.y,
          a.x * R.c0.z + b.x * R.c1.z + c.x * R.c2.z, a.y * R.c0.z + b.y * R.c1.z + c.y * R.c2.z};
}

using Vec3 = Vector3<double>;
using Mat3 = Matrix3<double>;
using Sym3 = Symmetric3<double>;

/// A constant vector in the scalar of a computation.
template <class T>
Vector3<T> cast(const Vec3& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

}  // namespace arthron
