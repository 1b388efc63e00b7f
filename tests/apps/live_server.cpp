#include "live/live_server.hpp"

#include <doctest/doctest.h>

#include "apps/live_client.hpp"
#include "arthron/core/diagnostic.hpp"

using namespace arthron;
using namespace arthron::cli;
using namespace arthron::test;

namespace {

std::string text(const std::string& type) { return nlohmann::json{{"type", type}}.dump(); }

/// A frame that tells its number and has a size.
std::string numbered(int number, std::size_t size = 100) {
  std::string bytes = std::to_string(number) + ' ';
  bytes.resize(std::max(size, bytes.size()), '.');
  return bytes;
}
int number_of(const std::string& frame) { return std::stoi(frame); }

LiveLimits quick() {
  LiveLimits limits;
  limits.patience = limits.idle = std::chrono::milliseconds(800);  // a busy machine takes a while to shake hands
  return limits;
}

}  // namespace

TEST_CASE("the page is served at / and nothing elsewhere") {
  LiveServer server(0, "--port");
  server.set_page("<p>first</p>");
  const std::string first = get(server.port());
  CHECK(is(first, 200));
  CHECK(first.ends_with("\r\n\r\n<p>first</p>"));
  CHECK(first.find("text/html") != std::string::npos);
  CHECK(first.find("frame-ancestors 'none'") != std::string::npos);
  server.set_page("<p>second</p>");
  CHECK(get(server.port()).ends_with("<p>second</p>"));
  CHECK(get(server.port(), "/?x=1").ends_with("<p>second</p>"));
  CHECK(is(get(server.port(), "/etc/passwd"), 404));
  CHECK(is(get(server.port(), "/../"), 404));
  CHECK(is(answer(server.port(), "POST / HTTP/1.1\r\nHost: " + own_name(server.port()) + "\r\nContent-Length: 0\r\n\r\n"), 405));
  const std::string head = answer(server.port(), "HEAD / HTTP/1.1\r\nHost: " + own_name(server.port()) + "\r\n\r\n");
  CHECK(is(head, 200));
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("the server listens on 127.0.0.1 and on no other address of the machine") {
  LiveServer server(0, "--port");
  CHECK(Line(server.port()).connected());
  CHECK_FALSE(Line(server.port(), "127.0.0.2").connected());
  CHECK(server.url() == "http://127.0.0.1:" + std::to_string(server.port()) + "/");
}

TEST_CASE("a request for another host is refused: no foreign name can be made to lead here") {
  LiveServer server(0, "--port");
  const std::string number = std::to_string(server.port());
  for (const std::string& own : {"127.0.0.1:" + number, "localhost:" + number, "[::1]:" + number})
    CHECK(is(get(server.port(), "/", own), 200));
  for (const std::string& other : {std::string("evil.example"), "evil.example:" + number, std::string("127.0.0.1"),
                                   std::string("127.0.0.1:1"), "127.0.0.1.evil.example:" + number, "x127.0.0.1:" + number})
    CHECK(is(get(server.port(), "/", other), 403));
  CHECK(is(answer(server.port(), "GET / HTTP/1.1\r\n\r\n"), 403));
  CHECK(is(get(server.port(), "/", "", "Host: evil.example\r\n"), 403));
}

TEST_CASE("a socket is opened for pages of the server only") {
  LiveServer server(0, "--port");
  const auto with_origin = [&](const std::string& origin) {
    return get(server.port(), "/socket", "",
               "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                   origin);
  };
  CHECK(is(with_origin(""), 403));
  CHECK(is(with_origin("Origin: null\r\n"), 403));
  CHECK(is(with_origin("Origin: http://evil.example\r\n"), 403));
  CHECK(is(with_origin("Origin: https://" + own_name(server.port()) + "\r\n"), 403));
  CHECK(is(with_origin("Origin: http://127.0.0.1:1\r\n"), 403));
  CHECK(is(with_origin("Origin: http://" + own_name(server.port()) + ".evil.example\r\n"), 403));
  CHECK(server.clients() == 0);
  CHECK(is(get(server.port(), "/socket", "", "Origin: http://" + own_name(server.port()) + "\r\n"), 426));
  Viewer viewer(server.port());
  CHECK(comes_true([&] { return server.clients() == 1; }));
}

TEST_CASE("frames and texts arrive whole and in order, states and the past also where one comes later") {
  LiveServer server(0, "--port");
  server.publish_state("status", text("old status"));
  server.publish_state("status", text("status"));
  server.publish_text(text("unheard"));
  for (int i = 0; i < 5; ++i) server.publish_frame(numbered(i));
  Viewer viewer(server.port());
  CHECK(viewer.next()->bytes == text("status"));
  for (int i = 0; i < 5; ++i) CHECK(viewer.next()->bytes == numbered(i));
  REQUIRE(comes_true([&] { return server.clients() == 1; }));
  server.publish_frame(std::string("\0\xff\n", 3));
  server.publish_text(text("heard"));
  std::vector<Viewer::Message> messages = {*viewer.next(), *viewer.next()};
  if (messages[0].text) std::swap(messages[0], messages[1]);  // texts may pass frames
  CHECK(messages[0].bytes == std::string("\0\xff\n", 3));
  CHECK_FALSE(messages[0].text);
  CHECK(messages[1].bytes == text("heard"));
}

TEST_CASE("the past is kept thinned out from its first frame on, within its bounds") {
  LiveLimits limits;
  limits.past_frames = 50;
  LiveServer server(0, "--port", limits);
  for (int i = 0; i < 1000; ++i) server.publish_frame(numbered(i));
  server.publish_state("status", text("status"));
  Viewer viewer(server.port());
  (void)viewer.text("status");
  server.publish_frame(numbered(5000));
  std::vector<int> numbers;
  while (numbers.empty() || numbers.back() != 5000) numbers.push_back(number_of(viewer.frame()));
  numbers.pop_back();
  CHECK(numbers.front() == 0);
  CHECK(numbers.back() >= 960);
  CHECK(numbers.size() >= 25);
  CHECK(numbers.size() <= 50);
  for (std::size_t i = 1; i < numbers.size(); ++i) CHECK(numbers[i] - numbers[i - 1] == numbers[1]);
}

TEST_CASE("messages of clients are taken with who sent them, and answers go to that client alone") {
  LiveServer server(0, "--port");
  Viewer one(server.port()), other(server.port());
  REQUIRE(comes_true([&] { return server.clients() == 2; }));
  one.send(std::string("{\"type\":\"pause\"}"));
  const std::vector<LiveCommand> commands = server.take_commands(patience);
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].text == "{\"type\":\"pause\"}");
  server.tell(commands[0].client, text("for one"));
  server.tell(9999, text("for nobody"));
  server.publish_text(text("for all"));
  CHECK(one.next()->bytes == text("for one"));
  CHECK(other.next()->bytes == text("for all"));
  CHECK(server.take_commands().empty());
}

TEST_CASE("a message or request that is too large ends that connection and no other") {
  LiveServer server(0, "--port");
  Viewer good(server.port()), bad(server.port());
  REQUIRE(comes_true([&] { return server.clients() == 2; }));
  bad.send(std::string(5000, 'x'));
  CHECK_FALSE(bad.next());
  CHECK(bad.socket().reason().code == websocket::close_code::too_big);
  CHECK(server.take_commands().empty());
  CHECK(is(get(server.port(), "/", "", "X: " + std::string(20000, 'x') + "\r\n"), 413));
  CHECK(is(answer(server.port(), "GET / HTTP/1.1\r\nHost: " + own_name(server.port()) + "\r\nContent-Length: 1000000\r\n\r\n"), 413));
  CHECK(answer(server.port(), std::string(300, '\x16') + "\r\n\r\n").empty());
  server.publish_text(text("still here"));
  CHECK(good.next()->bytes == text("still here"));
}

TEST_CASE("more messages than the simulation takes are refused, not kept") {
  LiveLimits limits;
  limits.commands = 10;
  LiveServer server(0, "--port", limits);
  Viewer viewer(server.port());
  for (int i = 0; i < 30; ++i) viewer.send(text("pause"));
  for (int i = 0; i < 20; ++i) CHECK(viewer.next()->bytes.find("too many") != std::string::npos);
  CHECK(server.take_commands().size() == 10);
}

TEST_CASE("clients beyond the bound are told so, and come in when others have gone") {
  LiveLimits limits;
  limits.clients = 3;
  LiveServer server(0, "--port", limits);
  {
    Viewer a(server.port()), b(server.port()), c(server.port());
    CHECK(is(get(server.port()), 503));
    CHECK(server.clients() == 3);
  }
  CHECK(comes_true([&] { return is(get(server.port()), 200); }));
}

TEST_CASE("a client that does not read skips frames and delays neither the simulation nor other clients") {
  LiveLimits limits;
  limits.past_frames = 2;
  LiveServer server(0, "--port", limits);
  Viewer slow(server.port()), quick_one(server.port());
  REQUIRE(comes_true([&] { return server.clients() == 2; }));
  constexpr int count = 400;
  constexpr std::size_t size = 200'000;
  int late = 0;
  for (int i = 0; i < count; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    server.publish_frame(numbered(i, size));
    late += std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(200) ? 0 : 1;
    CHECK(number_of(quick_one.frame()) <= i);
  }
  CHECK(late < count / 50);  // a client would hold up every frame, other work on the machine one now and then
  // What the slow one gets in the end: what was on its way, and the newest that waited.
  int received = 0, last = -1;
  while (last != count - 1) {
    const int number = number_of(slow.frame());
    CHECK(number > last);
    last = number, ++received;
  }
  CHECK(received < count / 2);
}

TEST_CASE("a client without a sign of life is left") {
  LiveServer server(0, "--port", quick());
  Viewer silent(server.port());
  REQUIRE(comes_true([&] { return server.clients() == 1; }));
  CHECK(comes_true([&] { return server.clients() == 0; }));  // it reads nothing, and so answers no ping
  CHECK(Line(server.port()).rest().empty());                 // says nothing at all
  Line half(server.port());
  half.send("GET / HTTP/1.1\r\nHost: 127");
  CHECK(half.rest().empty());
}

TEST_CASE("200 clients that come and vanish, each in its own way, do no harm") {
  LiveLimits limits;
  limits.clients = 1000;  // none is turned away
  LiveServer server(0, "--port", limits);
  server.set_page(std::string(100'000, 'p'));
  for (int i = 0; i < 20; ++i) server.publish_frame(numbered(i, 50'000));
  storm(server.port(), 200, [&](int i) { server.publish_frame(numbered(i, 50'000)); });
  Viewer viewer(server.port());
  server.publish_state("alive", text("alive"));
  CHECK(viewer.text("alive").is_object());
  CHECK(comes_true([&] { return server.clients() <= 1; }));
}

TEST_CASE("the server's end is told its clients and waits for none that does not answer") {
  auto server = std::make_unique<LiveServer>(0, "--port");
  const int port = server->port();
  Viewer viewer(port), silent(port);
  REQUIRE(comes_true([&] { return server->clients() == 2; }));
  server->publish_text(text("last words"));
  std::thread end([&] { server.reset(); });
  CHECK(viewer.next()->bytes == text("last words"));
  CHECK_FALSE(viewer.next());
  CHECK(viewer.socket().reason().code == websocket::close_code::going_away);
  const auto begin = std::chrono::steady_clock::now();
  end.join();
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
  CHECK_FALSE(Line(port).connected());
}

TEST_CASE("a port that is taken is the user's mistake") {
  const LiveServer server(0, "--port");
  try {
    const LiveServer other(server.port(), "--port");
    FAIL("two servers on one port");
  } catch (const ModelError& mistake) {
    CHECK(mistake.diagnostics().front().pointer == "--port");
    CHECK(mistake.diagnostics().front().found.find(std::to_string(server.port())) != std::string::npos);
  }
}
