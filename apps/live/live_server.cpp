#include "live/live_server.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <map>
#include <optional>
#include <thread>

#include "arthron/core/diagnostic.hpp"
#include "live/live_queues.hpp"

namespace arthron::cli {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr std::size_t header_bytes = 8192, body_bytes = 1024;

class Socket;

/// What all connections share. Of the server's thread alone, but for the inbox and the count.
struct Hub {
  explicit Hub(const LiveLimits& its_limits) : limits(its_limits), past(its_limits), inbox(its_limits.commands) {}

  LiveLimits limits;
  int port = 0;
  std::size_t connections = 0;
  std::uint64_t last_client = 0;
  bool closing = false;
  std::map<std::uint64_t, std::weak_ptr<Socket>> sockets;
  Bytes page = std::make_shared<const std::string>();
  std::map<std::string, Bytes> states;
  Past past;
  Inbox inbox;
  std::atomic<std::size_t> clients{0};

  /// The addresses under which browsers know this server.
  [[nodiscard]] bool is_own(std::string_view host) const {
    const std::string number = ':' + std::to_string(port);
    const std::array<std::string, 3> own = {"127.0.0.1", "localhost", "[::1]"};
    return std::any_of(own.begin(), own.end(),
                       [&](const std::string& name) { return host == name + number || (port == 80 && host == name); });
  }
};

/// Counts a connection while it lives.
class Counted {
 public:
  explicit Counted(std::shared_ptr<Hub> hub) : hub_(std::move(hub)) { ++hub_->connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --hub_->connections; }

 private:
  std::shared_ptr<Hub> hub_;
};

/// A client that watches.
class Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(beast::tcp_stream&& stream, std::shared_ptr<Hub> hub, std::shared_ptr<Counted> counted)
      : stream_(std::move(stream)), hub_(std::move(hub)), counted_(std::move(counted)), client_(++hub_->last_client) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    hub_->sockets.erase(client_);
    if (open_) --hub_->clients;
  }

  void accept(Request request) {
    hub_->sockets[client_] = weak_from_this();
    beast::get_lowest_layer(stream_).expires_never();  // the socket has a clock of its own
    websocket::stream_base::timeout timeout{};
    timeout.handshake_timeout = hub_->limits.patience;
    timeout.idle_timeout = hub_->limits.idle;
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(hub_->limits.message_bytes);
    request_ = std::move(request);
    stream_.async_accept(request_, [self = shared_from_this()](beast::error_code error) {
      if (!error) self->begin();
    });
  }

  void text(const Bytes& message) {
    if (!open_) return;
    if (texts_.size() >= hub_->limits.texts) return leave();
    texts_.push_back(message);
    write();
  }
  void frame(const Bytes& message) {
    if (!open_) return;
    while (frames_.size() >= hub_->limits.frames) frames_.pop_front();
    frames_.push_back(message);
    write();
  }
  void forget_frames() { past_.clear(), frames_.clear(); }

  /// After what is being written.
  void say_goodbye() {
    if (!open_) return leave();
    goodbye_ = true;
    forget_frames();
    write();
  }

 private:
  void begin() {
    open_ = true;
    ++hub_->clients;
    for (const auto& [name, message] : hub_->states) texts_.push_back(message);
    past_ = hub_->past.frames();
    if (hub_->closing) goodbye_ = true;
    write();
    read();
  }

  void read() {
    stream_.async_read(incoming_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->leave();
      LiveCommand command{self->client_, beast::buffers_to_string(self->incoming_.data())};
      self->incoming_.consume(self->incoming_.size());
      if (!self->stream_.got_text()) command.text.clear();
      if (!self->hub_->inbox.put(std::move(command)))
        self->text(std::make_shared<const std::string>(R"({"type":"error","message":"too many messages wait; this one is left out"})"));
      self->read();
    });
  }

  /// Texts first, then what was before, then what is now.
  void write() {
    if (writing_ || !open_) return;
    std::deque<Bytes>* queue = !texts_.empty() ? &texts_ : !past_.empty() ? &past_ : &frames_;
    if (queue->empty()) {
      if (goodbye_) close();
      return;
    }
    stream_.text(queue == &texts_);
    outgoing_ = queue->front();
    queue->pop_front();
    writing_ = true;
    stream_.async_write(net::buffer(*outgoing_), [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->writing_ = false;
      if (error) return self->leave();
      self->write();
    });
  }

  void close() {
    writing_ = true;
    stream_.async_close(websocket::close_code::going_away, [self = shared_from_this()](beast::error_code) { self->leave(); });
  }

  /// Whatever is under way ends with an error, and with the last of it this object.
  void leave() {
    if (std::exchange(open_, false)) --hub_->clients;
    beast::get_lowest_layer(stream_).close();
  }

  websocket::stream<beast::tcp_stream> stream_;
  std::shared_ptr<Hub> hub_;
  std::shared_ptr<Counted> counted_;
  std::uint64_t client_;
  Request request_;
  beast::flat_buffer incoming_;
  std::deque<Bytes> texts_, past_, frames_;
  Bytes outgoing_;
  bool open_ = false, writing_ = false, goodbye_ = false;
};

/// A connection until it has had an answer or has become a socket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket&& socket, std::shared_ptr<Hub> hub)
      : stream_(std::move(socket)), hub_(std::move(hub)), counted_(std::make_shared<Counted>(hub_)) {
    parser_.header_limit(header_bytes);
    parser_.body_limit(body_bytes);
  }

  void read() {
    stream_.expires_after(hub_->limits.patience);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error == http::error::header_limit || error == http::error::body_limit)
        return self->answer(http::status::payload_too_large, "the request is too large\n");
      if (error) return;  // gone, too slow, or speaking something else
      self->respond();
    });
  }

  void refuse() {
    stream_.expires_after(hub_->limits.patience);
    answer(http::status::service_unavailable, "too many clients\n");
  }

 private:
  void respond() {
    Request request = parser_.release();
    const auto text = [](auto view) { return std::string_view(view.data(), view.size()); };
    if (request.count(http::field::host) != 1 || !hub_->is_own(text(request[http::field::host])))
      return answer(http::status::forbidden, "this server answers to its own address only\n");
    const std::string_view target = text(request.target()).substr(0, text(request.target()).find('?'));
    if (target == "/socket") return upgrade(std::move(request));
    if (target != "/") return answer(http::status::not_found, "nothing here\n");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return answer(http::status::method_not_allowed, "GET, please\n");
    answer(http::status::ok, *hub_->page, "text/html; charset=utf-8", request.method() == http::verb::head);
  }

  void upgrade(Request request) {
    const std::string origin(request[http::field::origin]);
    constexpr std::string_view scheme = "http://";
    if (!origin.starts_with(scheme) || request.count(http::field::origin) != 1 || !hub_->is_own(origin.substr(scheme.size())))
      return answer(http::status::forbidden, "sockets are for pages of this server\n");
    if (!websocket::is_upgrade(request)) return answer(http::status::upgrade_required, "a WebSocket, please\n");
    std::make_shared<Socket>(std::move(stream_), hub_, counted_)->accept(std::move(request));
  }

  void answer(http::status status, std::string body, const char* type = "text/plain; charset=utf-8", bool head = false) {
    const std::string number = std::to_string(hub_->port);
    response_.result(status);
    response_.set(http::field::content_type, type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    // Nothing is loaded from elsewhere, and no other page frames this one. (Addresses of version 6 cannot be named there; 'self' covers
    // them.)
    response_.set("Content-Security-Policy",
                  "default-src 'self' 'unsafe-inline' data: blob:; connect-src 'self' data: blob: ws://127.0.0.1:" + number +
                      " ws://localhost:" + number + "; frame-ancestors 'none'");
    response_.keep_alive(false);
    response_.content_length(body.size());
    if (!head) response_.body() = std::move(body);
    serializer_.emplace(response_);
    const auto done = [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->linger();
    };
    if (head) return http::async_write_header(stream_, *serializer_, done);
    http::async_write(stream_, *serializer_, done);
  }

  /// Closing with unread bytes would take the answer away from the client again.
  void linger() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::min<std::chrono::milliseconds>(hub_->limits.patience, std::chrono::milliseconds(1000)));
    discard();
  }
  void discard() {
    stream_.async_read_some(net::buffer(discarded_), [self = shared_from_this()](beast::error_code error, std::size_t count) {
      constexpr std::size_t most = 1'000'000;
      if (!error && (self->discarded_bytes_ += count) < most) self->discard();
    });
  }

  beast::tcp_stream stream_;
  std::shared_ptr<Hub> hub_;
  std::shared_ptr<Counted> counted_;
  beast::flat_buffer buffer_{header_bytes + body_bytes};
  http::request_parser<http::string_body> parser_;
  Response response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::array<char, 1024> discarded_{};
  std::size_t discarded_bytes_ = 0;
};

}  // namespace

/// The listening socket and the thread that serves.
class LiveServer::Impl : public std::enable_shared_from_this<LiveServer::Impl> {
 public:
  Impl(int port, const std::string& option, const LiveLimits& limits) : hub_(std::make_shared<Hub>(limits)) {
    const tcp::endpoint endpoint(net::ip::address_v4::loopback(), static_cast<std::uint16_t>(port));
    beast::error_code error;
    const auto require = [&] {
      if (error)
        throw ModelError(
            {{"", 0, option, "port " + std::to_string(port) + " (" + error.message() + ')', "a port that is free; 0 finds one", ""}});
    };
    acceptor_.open(endpoint.protocol(), error), require();
    acceptor_.set_option(net::socket_base::reuse_address(true), error), require();
    acceptor_.bind(endpoint, error), require();
    acceptor_.listen(net::socket_base::max_listen_connections, error), require();
    hub_->port = acceptor_.local_endpoint().port();
  }

  void start() {
    accept();
    thread_ = std::thread([this] { serve(); });
  }
  void finish() {
    net::post(context_, [this] {
      beast::error_code ignored;
      acceptor_.close(ignored);
      hub_->closing = true;
      for_each([](Socket& socket) { socket.say_goodbye(); });
      wait_for_goodbyes(std::chrono::steady_clock::now() + std::chrono::milliseconds(300));
    });
    thread_.join();
    // Connections that are left hold one another's handlers; these go with the context.
  }

  template <class Call>
  void post(Call call) {
    net::post(context_, std::move(call));
  }
  template <class Call>
  void for_each(const Call& call) {
    // A socket that is left takes itself off the list.
    std::vector<std::shared_ptr<Socket>> all;
    for (const auto& [client, socket] : hub_->sockets) all.push_back(socket.lock());
    for (const auto& socket : all)
      if (socket) call(*socket);
  }
  [[nodiscard]] Hub& hub() { return *hub_; }

 private:
  void serve() {
    for (;;) {
      try {
        context_.run();
        return;
      } catch (const std::exception&) {
        continue;  // of one connection, which is gone with it
      }
    }
  }

  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted) return;
      if (!error) welcome(std::move(socket));
      if (!error) return accept();
      // Out of descriptors, most likely: one comes free when a client goes.
      retry_.expires_after(std::chrono::milliseconds(50));
      retry_.async_wait([this](beast::error_code stopped) {
        if (!stopped && acceptor_.is_open()) accept();
      });
    });
  }

  void welcome(tcp::socket socket) {
    beast::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    if (hub_->connections >= 2 * hub_->limits.clients) return;  // not even an answer
    const bool full = hub_->connections >= hub_->limits.clients;
    const auto connection = std::make_shared<Connection>(std::move(socket), hub_);
    full ? connection->refuse() : connection->read();
  }

  void wait_for_goodbyes(std::chrono::steady_clock::time_point until) {
    if (hub_->clients == 0 || std::chrono::steady_clock::now() >= until) return context_.stop();
    retry_.expires_after(std::chrono::milliseconds(5));
    retry_.async_wait([this, until](beast::error_code) { wait_for_goodbyes(until); });
  }

  std::shared_ptr<Hub> hub_;  // outlives the connections that the context drops at its end
  net::io_context context_{1};
  tcp::acceptor acceptor_{context_};
  net::steady_timer retry_{context_};
  std::thread thread_;
};

LiveServer::LiveServer(int port, const std::string& option, const LiveLimits& limits)
    : impl_(std::make_shared<Impl>(port, option, limits)) {
  impl_->start();
}

LiveServer::~LiveServer() { impl_->finish(); }

int LiveServer::port() const { return impl_->hub().port; }

std::string LiveServer::url() const { return "http://127.0.0.1:" + std::to_string(port()) + '/'; }

std::size_t LiveServer::clients() const { return impl_->hub().clients; }

void LiveServer::set_page(std::string page) {
  impl_->post([impl = impl_.get(), shared = std::make_shared<const std::string>(std::move(page))] { impl->hub().page = shared; });
}

void LiveServer::publish_frame(std::string bytes) {
  impl_->post([impl = impl_.get(), shared = std::make_shared<const std::string>(std::move(bytes))] {
    impl->hub().past.add(shared);
    impl->for_each([&](Socket& socket) { socket.frame(shared); });
  });
}

void LiveServer::forget_frames() {
  impl_->post([impl = impl_.get()] {
    impl->hub().past.clear();
    impl->for_each([](Socket& socket) { socket.forget_frames(); });
  });
}

void LiveServer::publish_text(std::string text) {
  impl_->post([impl = impl_.get(), shared = std::make_shared<const std::string>(std::move(text))] {
    impl->for_each([&](Socket& socket) { socket.text(shared); });
  });
}

void LiveServer::publish_state(const std::string& name, std::string text) {
  impl_->post([impl = impl_.get(), name, shared = std::make_shared<const std::string>(std::move(text))] {
    impl->hub().states[name] = shared;
    impl->for_each([&](Socket& socket) { socket.text(shared); });
  });
}

void LiveServer::tell(std::uint64_t client, std::string text) {
  impl_->post([impl = impl_.get(), client, shared = std::make_shared<const std::string>(std::move(text))] {
    const auto found = impl->hub().sockets.find(client);
    if (found == impl->hub().sockets.end()) return;
    if (const auto socket = found->second.lock()) socket->text(shared);
  });
}

std::vector<LiveCommand> LiveServer::take_commands(std::chrono::steady_clock::duration wait) { return impl_->hub().inbox.take(wait); }

}  // namespace arthron::cli
