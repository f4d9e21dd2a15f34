import { isIP, type LookupFunction, Socket } from 'node:net'
import { createAddressGuard } from './address-guard.ts'

/**
 * Returns a function that creates sockets which connect to allowed addresses only: for drivers that open connections of
 * their own and take a socket. A refused address ends the socket with an error of the code `EADDRREFUSED`.
 *
 * @param allowed ranges besides public addresses, as in `TransportOptions.allowAddresses`.
 * @throws RangeError when a range cannot be read.
 */
export function createGuardedSockets(allowed: readonly string[], lookup?: LookupFunction): () => Socket {
  const guard = createAddressGuard(allowed, lookup)
  return () => new GuardedSocket(guard)
}

class GuardedSocket extends Socket {
  readonly #guard: ReturnType<typeof createAddressGuard>

  constructor(guard: ReturnType<typeof createAddressGuard>) {
    super()
    this.#guard = guard
  }

  override connect(...given: unknown[]): this {
    const [first, host] = given
    const port = typeof first === 'object' && first !== null ? (first as { port?: number }).port : Number(first)
    const name = typeof first === 'object' && first !== null ? (first as { host?: string }).host : host
    const target = { port: port ?? 0, host: typeof name === 'string' ? name : 'localhost', lookup: this.#guard.lookup }
    try {
      if (isIP(target.host) !== 0)
        this.#guard.check(new URL(`tcp://${isIP(target.host) === 6 ? `[${target.host}]` : target.host}`))
    } catch (error) {
      process.nextTick(() => this.destroy(error as Error))
      return this
    }
    return super.connect(target)
  }
}
