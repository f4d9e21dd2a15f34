import { isIP, type LookupFunction, Socket, type TcpNetConnectOpts } from 'node:net'
import { ReceivedAllowance, type ReceivedLimits } from '../http/received-allowance.ts'
import { type AddressGuard, addressRefused, createAddressGuard } from './address-guard.ts'
import { createLookupTurns, systemLookupTurns } from './lookup-turns.ts'

/** What a socket of a foreign client is held to. */
export interface SocketRules {
  readonly guard: AddressGuard
  readonly limits: ReceivedLimits
  /** The socket is destroyed when neither side has sent anything for so long, in milliseconds. Default: never. */
  readonly silenceMs?: number
  /** Destroys the socket when it aborts, also before it is connected. */
  readonly signal?: AbortSignal | undefined
  /** Called once with the reason when the socket was destroyed for breaking a rule, or for an exception of its client. */
  onBroken?(error: Error): void
}

/** Answers of databases: schemas of some hundred thousand columns, and a driver makes some ten times as many bytes of them. */
const databaseLimits: ReceivedLimits = { bytesMax: 32 * 1_024 * 1_024, bytesPerSecond: 256 * 1_024 }
/** Answers of brokers: acknowledgements, and the list of what a cluster has. */
export const brokerLimits: ReceivedLimits = { bytesMax: 16 * 1_024 * 1_024, bytesPerSecond: 16 * 1_024 }
/** Longer than the longest statement of a database (10 minutes). */
const databaseSilenceMs = 660_000

/**
 * Creates a socket under rules.
 *
 * @param over a socket that a driver has put over one of these, such as one with TLS: it is put under the same rules, and
 * returned.
 * @param owner a workspace, in whose turn names are looked up.
 */
export type GuardedSockets = (over?: Socket, owner?: string) => Socket

/**
 * Returns a function that creates sockets which connect to allowed addresses only, and hold what is at the other end to
 * limits: for drivers of databases, which take a socket. A refused address ends the socket with an error of the code
 * `EADDRREFUSED`.
 *
 * @param allowed ranges besides public addresses, as in `TransportOptions.allowAddresses`.
 * @param silenceMs how long nothing may be sent either way; default longer than the longest statement of a database.
 * @throws RangeError when a range cannot be read.
 */
export function createGuardedSockets(
  allowed: readonly string[],
  lookup?: LookupFunction,
  silenceMs: number = databaseSilenceMs,
): GuardedSockets {
  const turns = lookup ? createLookupTurns(lookup) : systemLookupTurns()
  const guardOf = (owner: string): AddressGuard => createAddressGuard(allowed, turns.of(owner))
  guardOf('') // throws now, rather than with the first connection
  return (over, owner = '') =>
    guardSocket(over ?? new Socket(), { guard: guardOf(owner), limits: databaseLimits, silenceMs })
}

/** The other end sent more than it may, nothing for too long, or what the client could not read. */
export class BrokenPeerError extends Error {
  override readonly name = 'BrokenPeerError'
  readonly code: 'EPEERTOOMUCH' | 'EPEERBROKEN' | 'EPEERSILENT'

  constructor(code: BrokenPeerError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/**
 * Puts a socket under rules, and returns it: call it before the socket connects, or is handed to a client.
 *
 * - It connects to allowed addresses only.
 * - An exception of any listener, such as a parser that trips over the bytes of the peer, destroys the socket with that
 *   exception. It never becomes an uncaught one, not even when the client listens to no errors.
 * - The peer sends no more than the limits allow.
 */
export function guardSocket<Guarded extends Socket>(socket: Guarded, rules: SocketRules): Guarded {
  const { guard, limits, silenceMs, signal } = rules
  const allowance = new ReceivedAllowance(limits, performance.now())
  const own = { connect: socket.connect, emit: socket.emit, push: socket.push }
  let isBroken = false

  function end(error: Error): void {
    if (!isBroken) {
      isBroken = true
      rules.onBroken?.(error)
    }
    socket.destroy(error)
  }

  socket.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    try {
      return Reflect.apply(own.emit, socket, [event, ...values])
    } catch (error) {
      // The error of a socket that no listener waits for is thrown unchanged.
      end(error === values[0] ? (error as Error) : unreadable(error))
      return true
    }
  }
  socket.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
    const isTooMuch = chunk !== null && !allowance.takes(chunk.length, socket.bytesWritten, performance.now())
    if (!isTooMuch) return Reflect.apply(own.push, socket, [chunk, encoding])
    end(new BrokenPeerError('EPEERTOOMUCH', 'the other end sent more than it may'))
    return false
  }
  socket.connect = (...given: unknown[]): Guarded => {
    const { target, listener } = targetOf(given)
    const refusal = refusalOf(target, guard)
    // Node lets a socket connect that was destroyed before.
    if (isBroken || signal?.aborted) return socket.destroy()
    if (refusal) process.nextTick(() => end(refusal))
    else Reflect.apply(own.connect, socket, [{ ...target, lookup: guard.lookup }, listener])
    return socket
  }
  if (silenceMs !== undefined)
    socket.setTimeout(silenceMs, () =>
      end(new BrokenPeerError('EPEERSILENT', `the other end said nothing for ${silenceMs} ms`)),
    )
  if (signal) endWith(socket, signal)
  return socket
}

/** Destroys a socket when a signal aborts, without an error that a client could miss. */
function endWith(socket: Socket, signal: AbortSignal): void {
  const end = (): void => {
    socket.destroy()
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  socket.once('close', () => signal.removeEventListener('abort', end))
}

function unreadable(error: unknown): BrokenPeerError {
  const name = error instanceof Error ? error.name : typeof error
  return new BrokenPeerError('EPEERBROKEN', `the answer of the other end cannot be read (${name})`, error)
}

/** Returns why a target may not be connected to. Names are checked when they are looked up. */
function refusalOf({ host, path }: SocketTarget, guard: AddressGuard): Error | undefined {
  // Sockets of the file system lead to programs of this machine.
  if (path != null) return Object.assign(new Error('the address is a path'), { code: addressRefused })
  const [address = ''] = (host ?? 'localhost').split('%') // without a zone of IPv6
  try {
    if (isIP(address) !== 0) guard.check(new URL(`tcp://${isIP(address) === 6 ? `[${address}]` : address}`))
    return undefined
  } catch (error) {
    return error as Error
  }
}

type SocketTarget = Partial<TcpNetConnectOpts> & { readonly path?: string }

/** Reads the arguments of `Socket.connect` in any of its forms; Node itself calls it with a list of them. */
function targetOf(given: readonly unknown[]): { readonly target: SocketTarget; readonly listener: unknown } {
  const [first, ...others] = Array.isArray(given[0]) ? (given[0] as readonly unknown[]) : given
  const listener = others.find((each) => typeof each === 'function')
  if (typeof first === 'object' && first !== null) return { target: first as SocketTarget, listener }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { target: { path: first }, listener }
  const [host] = others
  return { target: { port: Number(first), host: typeof host === 'string' ? host : undefined }, listener }
}
