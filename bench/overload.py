"""Overload and slow clients, for bench/run --only overload: what holds when more comes than can be
served. The requests come from http_load, which offers them at a fixed rate."""
import json
import pathlib
import resource
import socket
import subprocess
import threading
import time

FILTERED = "/v1/scores?fields=compact&limit=50&minTvl=0.5&minApy=0.#"
PORTFOLIO = "/v1/portfolio?riskTier=balanced&principal=1#"
SLOW_CLIENTS = 200


def offer(build, server, rate, seconds, connections, target):
    out = subprocess.run([str(build / "bench/http_load/http_load"), str(server.port), str(rate),
                          str(seconds), str(connections), target],
                         capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def resident_mb(server):
    for line in pathlib.Path(f"/proc/{server.pids[0]}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def offer_and_watch(build, server, rate, seconds, connections, target):
    """What `offer` says, and the server's CPU per answer in microseconds, refusals included."""
    before = server.cpu_seconds()
    result = offer(build, server, rate, seconds, connections, target)
    result["cpu_us"] = (server.cpu_seconds() - before) / max(result["answered"], 1) * 1e6
    return result


def three_times_capacity(build, server, name, target, seconds, peak_connections, connections):
    """Peak of a closed loop, then three times as much for `seconds`. On a machine with other work
    a server that never rests gets less of it than one that waits now and then: CPU per answer says
    what overload costs all the same."""
    offer(build, server, 0, 2, peak_connections, target)
    best = max((offer_and_watch(build, server, 0, 5, peak_connections, target) for _ in range(3)),
               key=lambda x: x["answered"])
    peak = best["answered"] / 5
    resident = [resident_mb(server)]
    halves = []
    for _ in range(2):
        halves.append(offer_and_watch(build, server, 3 * peak, seconds / 2, connections, target))
        resident.append(resident_mb(server))
    answered = sum(h["answered"] for h in halves)
    print(f"{name}: peak {peak:.0f}/s ({best['cpu_us']:.0f} us of CPU each); offered "
          f"{3 * peak:.0f}/s for {seconds} s: answered {answered / seconds:.0f}/s "
          f"({answered / seconds / peak:.0%} of the peak)")
    for half in halves:
        print(f"  answered {half['answered']} in {half['answered_ms']} ms "
              f"({half['cpu_us']:.0f} us of CPU each), shed {half['shed']} in {half['shed_ms']} ms "
              f"({half['shed_without_retry_after']} without Retry-After), "
              f"never sent {half['never_sent']}, other {half['other']}")
    print(f"  resident MB before, between and after: "
          f"{', '.join(f'{x:.0f}' for x in resident)}", flush=True)


class SlowClients:
    """Clients that send a head octet by octet, and clients that do not read what they asked for.
    Whoever is cut comes back."""

    def __init__(self, port, headers, readers):
        self.port = port
        self.cut = 0
        self.stop = threading.Event()
        self.threads = [threading.Thread(target=self.drip, args=(headers,)),
                        threading.Thread(target=self.stall, args=(readers,))]
        for thread in self.threads:
            thread.start()

    def connect(self, request, receive_buffer=None):
        s = socket.socket()
        if receive_buffer:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        s.connect(("127.0.0.1", self.port))
        s.sendall(request)
        s.setblocking(False)
        return s

    def drip(self, count):
        begin = b"GET /v1/scores HTTP/1.1\r\nX-Slow: "
        clients = [self.connect(begin) for _ in range(count)]
        while not self.stop.wait(0.5):
            for i, client in enumerate(clients):
                try:
                    client.send(b"x")
                    if client.recv(4096) == b"":
                        raise ConnectionError
                except BlockingIOError:
                    pass
                except OSError:
                    self.cut += 1
                    client.close()
                    clients[i] = self.connect(begin)

    def stall(self, count):
        ask = b"GET /v1/scores HTTP/1.1\r\nHost: slow\r\n\r\n"
        clients = [self.connect(ask, 4096) for _ in range(count)]
        while not self.stop.wait(0.5):
            for i, client in enumerate(clients):
                try:
                    client.recv(16)
                except BlockingIOError:
                    pass
                except OSError:
                    self.cut += 1
                    client.close()
                    clients[i] = self.connect(ask, 4096)

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()
        return self.cut


def slow_clients(build, server, seconds, rate=500):
    alone = offer(build, server, rate, seconds, 32, FILTERED)
    slow = SlowClients(server.port, SLOW_CLIENTS, 20)
    beside = offer(build, server, rate, seconds, 32, FILTERED)
    cut = slow.end()
    print(f"{rate}/s beside {SLOW_CLIENTS} clients with slow heads and 20 slow readers: "
          f"p99 {alone['answered_ms']['p99']} ms alone, {beside['answered_ms']['p99']} ms beside "
          f"them; {beside['offered'] - beside['answered']} unanswered; {cut} slow ones cut",
          flush=True)


def few_descriptors(assay, program, universe):
    server = assay(program, universe, lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    try:
        clients = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
        time.sleep(0.2)
        before = server.cpu_seconds()
        time.sleep(3)
        spent = server.cpu_seconds() - before
        for client in clients:
            client.close()
        begin = time.monotonic()
        while True:
            try:
                with socket.create_connection(("127.0.0.1", server.port), timeout=1) as s:
                    s.sendall(b"GET /v1/scores?limit=1 HTTP/1.1\r\nHost: x\r\n\r\n")
                    if s.recv(16).startswith(b"HTTP/1.1 200"):
                        break
            except OSError:
                pass
        print(f"200 clients on 64 descriptors: {spent / 3:.1%} of a core while they wait, served "
              f"again {(time.monotonic() - begin) * 1000:.0f} ms after they left", flush=True)
    finally:
        server.stop()


def figures(build, assay, universe, seconds):
    program = str(build / "app" / "assay")
    server = assay(program, universe)
    try:
        three_times_capacity(build, server, "portfolio, every principal new", PORTFOLIO, seconds,
                             4, 512)
        three_times_capacity(build, server, "filtered reads", FILTERED, seconds, 64, 6000)
        slow_clients(build, server, seconds)
    finally:
        server.stop()
    few_descriptors(assay, program, universe)
