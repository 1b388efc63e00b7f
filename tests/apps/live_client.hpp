#pragma once
#include <doctest/doctest.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "apps/patience.hpp"

/// Clients of a live server, each with its patience.
namespace arthron::test {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;

inline std::string own_name(int port) { return "127.0.0.1:" + std::to_string(port); }

/// A connection that nothing has been said on yet.
class Line {
 public:
  explicit Line(int port, const char* address = "127.0.0.1") : stream_(context_) {
    stream_.connect({net::ip::make_address(address), static_cast<std::uint16_t>(port)}, error_);
  }
  [[nodiscard]] bool connected() const { return !error_; }
  void send(const std::string& text) { net::write(stream_.socket(), net::buffer(text), error_); }
  /// All there is to read until the server closes.
  std::string rest() {
    std::string text;
    std::optional<bool> done;
    net::async_read(stream_.socket(), net::dynamic_buffer(text), [&](beast::error_code, std::size_t) { done = true; });
    context_.run_for(patience);
    REQUIRE(done);
    return text;
  }
  beast::tcp_stream& stream() { return stream_; }
  net::io_context& context() { return context_; }

 private:
  net::io_context context_;
  beast::tcp_stream stream_;
  beast::error_code error_;
};

/// The whole answer to a request.
inline std::string answer(int port, const std::string& request) {
  Line line(port);
  REQUIRE(line.connected());
  line.send(request);
  return line.rest();
}
inline std::string get(int port, const std::string& target = "/", const std::string& host = "", const std::string& more = "") {
  return answer(port, "GET " + target + " HTTP/1.1\r\nHost: " + (host.empty() ? own_name(port) : host) + "\r\n" + more + "\r\n");
}
inline bool is(const std::string& response, int status) { return response.starts_with("HTTP/1.1 " + std::to_string(status)); }

inline std::string handshake(int port) {
  return "GET /socket HTTP/1.1\r\nHost: " + own_name(port) + "\r\nOrigin: http://" + own_name(port) +
         "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
}

/// Clients that come and vanish, each in its own way; `between` happens before each of them.
inline void storm(int port, int count, const std::function<void(int)>& between = {}) {
  std::mt19937 random(1);
  const std::string whole = handshake(port);
  std::vector<std::unique_ptr<Line>> silent;
  for (int i = 0; i < count; ++i) {
    if (between) between(i);
    auto line = std::make_unique<Line>(port);
    switch (i % 6) {
      case 0: break;                                                        // says nothing
      case 1: line->send(whole.substr(0, random() % whole.size())); break;  // goes amid the handshake
      case 2: line->send(whole); break;                                     // goes amid the frames
      case 3: line->send(whole + "\x81\xff garbage of a frame"); break;
      case 4: line->send("GET / HTTP/1.1\r\nHost: " + own_name(port) + "\r\n\r\n"); break;  // goes before the page
      case 5: line->send(whole); break;                                                     // stays and never reads
    }
    if (i % 4 == 2) line->stream().socket().set_option(net::socket_base::linger(true, 0));  // goes with a reset
    if (i % 6 == 5 && silent.size() < 20) silent.push_back(std::move(line));
  }
}

/// A browser's page with its socket.
class Viewer {
 public:
  explicit Viewer(int port) : socket_(context_) {
    socket_.next_layer().connect({net::ip::make_address("127.0.0.1"), static_cast<std::uint16_t>(port)});
    socket_.set_option(websocket::stream_base::decorator(
        [port](websocket::request_type& request) { request.set(http::field::origin, "http://" + own_name(port)); }));
    finish([&](auto done) { socket_.async_handshake(own_name(port), "/socket", done); });
  }

  struct Message {
    bool text;
    std::string bytes;
  };
  /// The next message; none when the server has closed.
  std::optional<Message> next() {
    beast::flat_buffer buffer;
    const beast::error_code error =
        finish([&](auto done) { socket_.async_read(buffer, [done](beast::error_code e, std::size_t) { done(e); }); }, false);
    if (error) return {};
    return Message{socket_.got_text(), beast::buffers_to_string(buffer.data())};
  }
  /// The next text of a type, past whatever else comes.
  nlohmann::json text(const std::string& type, const std::function<bool(const nlohmann::json&)>& wanted = {}) {
    for (;;) {
      const std::optional<Message> message = next();
      REQUIRE(message);
      if (!message->text) continue;
      nlohmann::json json = nlohmann::json::parse(message->bytes);
      if (json.at("type") == type && (!wanted || wanted(json))) return json;
    }
  }
  /// The next frame, past texts.
  std::string frame() {
    for (;;) {
      std::optional<Message> message = next();
      REQUIRE(message);
      if (!message->text) return message->bytes;
    }
  }
  void send(const std::string& text) {
    finish([&](auto done) { socket_.async_write(net::buffer(text), [done](beast::error_code e, std::size_t) { done(e); }); }, false);
  }
  void send(const nlohmann::json& json) { send(json.dump()); }
  websocket::stream<beast::tcp_stream>& socket() { return socket_; }

 private:
  template <class Start>
  beast::error_code finish(const Start& start, bool required = true) {
    std::optional<beast::error_code> outcome;
    start([&](beast::error_code error) { outcome = error; });
    context_.restart();
    context_.run_for(patience);
    REQUIRE(outcome);
    if (required) REQUIRE_MESSAGE(!*outcome, outcome->message());
    return *outcome;
  }

  net::io_context context_;
  websocket::stream<beast::tcp_stream> socket_;
};

}  // namespace arthron::test
