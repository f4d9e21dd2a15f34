import { Socket } from 'node:net'
import { createAddressGuard } from '../transport/sockets/address-guard.ts'
import { brokerLimits, guardSocket } from '../transport/sockets/guarded-socket.ts'
import { peerSocketsNow } from '../transport/sockets/peer-sockets.ts'

/**
 * Puts every socket of this process under rules: those of the connection whose client opens it, and rules that allow
 * public addresses only for any other. For processes in which nothing but clients run: sockets that they open with TLS, or
 * put over others, are covered too.
 */
export function guardEverySocket(): void {
  const guarded = new WeakSet<Socket>()
  const others = { guard: createAddressGuard([]), limits: brokerLimits }
  const guardOnce = (socket: Socket): boolean => {
    if (guarded.has(socket)) return false
    guarded.add(socket)
    guardSocket(socket, peerSocketsNow()?.rules ?? others)
    return true
  }
  const { prototype } = Socket
  const { connect, emit } = prototype
  prototype.connect = function (this: Socket, ...given: unknown[]) {
    if (guardOnce(this)) return Reflect.apply(this.connect, this, given)
    return Reflect.apply(connect, this, given)
  }
  prototype.emit = function (this: Socket, ...given: unknown[]): boolean {
    if (guardOnce(this)) return Reflect.apply(this.emit, this, given)
    return Reflect.apply(emit, this, given)
  }
}
