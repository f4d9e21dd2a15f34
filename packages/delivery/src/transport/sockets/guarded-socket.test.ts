import { type AddressInfo, createServer, type Server, type Socket, Socket as TcpSocket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { guardSocket, type SocketRules } from './guarded-socket.ts'
import { openGuardedSocket } from './open-guarded-socket.ts'
import { PeerSockets } from './peer-sockets.ts'

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** Starts a server, and returns its port. */
async function listening(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const rules: SocketRules = {
  guard: createAddressGuard(['localhost']),
  limits: { bytesMax: 1_000, bytesPerSecond: 0 },
}

/** Resolves with the reason for which a socket was destroyed. */
function broken(prepare: (rules: SocketRules) => void): Promise<Error> {
  return new Promise((onBroken) => prepare({ ...rules, onBroken }))
}

describe('a guarded socket', () => {
  it('contains an exception of whatever reads it, also when nothing listens to its errors', async () => {
    const port = await listening((socket) => socket.write('x'))
    for (const event of ['data', 'connect'] as const) {
      const reason = await broken((given) => {
        openGuardedSocket({ host: '127.0.0.1', port }, given).on(event, () => {
          throw new RangeError('too short')
        })
      })
      expect(reason).toMatchObject({ code: 'EPEERBROKEN', cause: expect.any(RangeError) })
    }
  })

  it('is cut when the other end sends more than it may, whether it is read or not', async () => {
    const port = await listening((socket) => socket.write(Buffer.alloc(2_000)))
    for (const reads of [true, false]) {
      const reason = await broken((given) => {
        const socket = openGuardedSocket({ host: '127.0.0.1', port }, given)
        if (reads) socket.resume()
        else socket.on('readable', () => {})
      })
      expect(reason).toMatchObject({ code: 'EPEERTOOMUCH' })
    }
  })

  it('may be answered with what it sent, however much that is', async () => {
    const port = await listening((socket) => socket.pipe(socket))
    const socket = openGuardedSocket({ host: '127.0.0.1', port }, rules)
    let received = 0
    const all = new Promise<void>((resolve, reject) => {
      socket.on('error', reject).on('data', (bytes) => {
        received += bytes.length
        if (received === 100_000) resolve()
        else socket.write(Buffer.alloc(Math.min(1_000, 100_000 - received)))
      })
    })
    socket.write(Buffer.alloc(1_000))
    // Each write is answered, and the next one follows as soon as something has arrived.
    await Promise.race([all, new Promise((resolve) => socket.once('close', resolve))])
    expect(received).toBeGreaterThan(50_000)
    socket.destroy()
  })

  it('connects to allowed addresses only, however it is called', async () => {
    let accepted = 0
    const port = await listening(() => {
      accepted += 1
    })
    const calls: ((socket: Socket) => void)[] = [
      (socket) => socket.connect(port, '127.0.0.1'),
      (socket) => socket.connect({ port, host: '127.0.0.1' }),
      (socket) => socket.connect(port),
      (socket) => socket.connect({ port }),
      (socket) => socket.connect(port, '::ffff:127.0.0.1'),
      (socket) => socket.connect(port, 'localhost'),
      (socket) => socket.connect('/run/some.sock'),
      (socket) => socket.connect({ path: '/run/some.sock' }),
    ]
    const guard = createAddressGuard([])
    for (const call of calls) {
      const socket = guardSocket(new TcpSocket(), { ...rules, guard })
      const failed = new Promise((resolve) => socket.once('error', resolve))
      call(socket)
      expect(await failed).toMatchObject({ code: 'EADDRREFUSED' })
    }
    expect(accepted).toBe(0)
  })

  it('ends when its signal aborts, also before it is connected', async () => {
    const port = await listening(() => {})
    const stop = new AbortController()
    const socket = openGuardedSocket({ host: '127.0.0.1', port }, { ...rules, signal: stop.signal })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    stop.abort()
    await closed
    const late = openGuardedSocket({ host: '127.0.0.1', port }, { ...rules, signal: stop.signal })
    expect(late.destroyed).toBe(true)
  })
})

describe('the sockets of a connection', () => {
  it('are under its rules though a library opens them, and all end with the first that breaks one', async () => {
    const { connect } = await import('node:net')
    const port = await listening((socket) => socket.write('x'))
    const sockets = new PeerSockets(createAddressGuard(['localhost']))
    const [bad, good] = sockets.run(() => [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')])
    if (!bad || !good) throw new Error('unexpected')
    const ended = new Promise((resolve) => good.once('close', resolve))
    bad.once('data', () => {
      throw new Error('unreadable')
    })
    await expect(sockets.orBroken(new Promise(() => {}))).rejects.toMatchObject({ code: 'EPEERBROKEN' })
    await ended
    expect(sockets.isBroken).toBe(true)
  })
})
