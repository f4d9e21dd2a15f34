import { isIP, Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { guardSocket, type SocketRules } from './guarded-socket.ts'

/** Where to connect to. */
interface SocketPlace {
  readonly host: string
  readonly port: number
  /** Options of TLS; absent for a connection without. */
  readonly tls?: ConnectionOptions | undefined
}

/** Opens a socket under rules, with or without TLS: for clients that take one. @param onConnect called when it is ready to be used. */
export function openGuardedSocket(
  { host, port, tls }: SocketPlace,
  rules: SocketRules,
  onConnect?: () => void,
): Socket {
  const plain = guardSocket(new Socket(), rules).connect({ host, port })
  if (tls === undefined) return onConnect ? plain.once('connect', onConnect) : plain
  const name = isIP(host) === 0 ? { servername: host } : {}
  const secure = guardSocket(connectTls({ ...name, ...tls, host, socket: plain }), rules)
  plain.once('error', (error) => secure.destroy(error))
  return onConnect ? secure.once('secureConnect', onConnect) : secure
}
