import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { AddressGuard } from './address-guard.ts'
import { brokerLimits, guardSocket, type SocketRules } from './guarded-socket.ts'

/** Node.js publishes each TCP socket here that a program opens. Source: Node.js docs, Diagnostics Channel. */
const opened = 'net.client.socket'

const running = new AsyncLocalStorage<PeerSockets>()
let isWatching = false

/** Returns whose code runs: that of the client of one connection, or undefined. */
export function peerSocketsNow(): PeerSockets | undefined {
  return running.getStore()
}

/**
 * All sockets of one connection to a broker, which may be a cluster. They are under the same rules, and end together:
 * after the first that breaks one, no answer of the others is waited for.
 */
export class PeerSockets {
  readonly guard: AddressGuard
  readonly #end = new AbortController()
  readonly #broken: Promise<never>
  #break: (error: Error) => void = () => {}
  #isBroken = false

  constructor(guard: AddressGuard) {
    this.guard = guard
    this.#broken = new Promise<never>((_, reject) => {
      this.#break = reject
    })
    this.#broken.catch(() => {})
  }

  /** Rules for a socket that is opened for this connection. */
  get rules(): SocketRules {
    return {
      guard: this.guard,
      limits: brokerLimits,
      signal: this.#end.signal,
      onBroken: (error) => this.break(error),
    }
  }

  /** Aborts when all sockets are to be destroyed, whatever state the client is in. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /**
   * Runs code of a client, and puts the sockets under rules that it opens, at once or later: for libraries that open
   * sockets of their own. Not covered are sockets that are opened with TLS at once, except in a process for clients (see
   * `guardEverySocket`).
   */
  run<Result>(work: () => Result): Result {
    watch()
    return running.run(this, work)
  }

  /** Resolves or rejects as a promise does; rejects when a socket breaks before. */
  orBroken<Result>(promise: Promise<Result>): Promise<Result> {
    return Promise.race([promise, this.#broken])
  }

  /** Ends the connection for a reason. */
  break(error: Error): void {
    this.#isBroken = true
    this.#break(error)
    this.end()
  }

  /** Destroys all sockets. Can be called twice. */
  end(): void {
    this.#end.abort()
  }
}

function watch(): void {
  if (isWatching) return
  isWatching = true
  subscribe(opened, (message) => {
    const sockets = running.getStore()
    // Called before the socket connects.
    if (sockets) guardSocket((message as { readonly socket: Socket }).socket, sockets.rules)
  })
}
