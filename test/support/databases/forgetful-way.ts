import { connect, createServer, type Socket } from 'node:net'

/**
 * What happens to a write: it is stored and its answer is lost; the connection ends while the server is still at it; or it
 * is lost on its way to the server.
 */
export type Loss = 'answer' | 'connection' | 'write'

export const losses: readonly Loss[] = ['answer', 'connection', 'write']

/** A way to a PostgreSQL server that loses what its users depend on. */
export interface ForgetfulWay {
  readonly port: number
  /** How many writes have been lost so far. */
  readonly lost: number
  /** Loses the next write that matches: the statement, or the `commit` of the transaction that it is in. */
  loseNext(loss: Loss, isMeant: (statement: string) => boolean): void
  /** From the next loss on, the server cannot be reached until `mend`. */
  cutWithNext(): void
  mend(): void
  close(): void
}

interface Wanted {
  readonly loss: Loss
  isMeant(statement: string): boolean
}

/** Reads the messages between client and server: see "Message Formats" in the documentation of PostgreSQL. */
export async function startForgetfulWay(to: number): Promise<ForgetfulWay> {
  const sockets = new Set<Socket>()
  let wanted: Wanted | undefined
  let lost = 0
  let isToBeCut = false
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(to, '127.0.0.1')
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      // Messages are passed on one by one, and must not wait for one another's acknowledgement.
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        if (!isLosing) end()
      })
    }
    const prepared = new Map<string, string>()
    let hasStarted = false
    let isInTransaction = false
    let isLosing = false
    let isMeantHere = false
    /** Returns whether the message completes a write that is to be lost. */
    const isLost = (type: string, body: Buffer): boolean => {
      const statement = statementOf(type, body, prepared)
      if (statement === undefined || wanted === undefined) return false
      if (!isInTransaction) {
        isMeantHere = false
        return wanted.isMeant(statement)
      }
      if (wanted.isMeant(statement)) isMeantHere = true
      return statement === 'commit' && isMeantHere
    }
    const fromClient = framed(
      () => hasStarted,
      (type, body, whole) => {
        hasStarted = true
        if (isLosing || !isLost(type, body)) {
          if (!isLosing || loss !== 'write') far.write(whole)
          return
        }
        loss = wanted?.loss ?? 'answer'
        wanted = undefined
        lost += 1
        isCut = isToBeCut
        // Idle connections, too.
        if (isCut) for (const socket of sockets) if (socket !== near && socket !== far) socket.destroy()
        isLosing = true
        if (loss === 'write') return end()
        far.write(whole)
        // A statement is complete with the message that asks for its answer.
        if (loss === 'connection') setImmediate(() => near.destroy())
      },
    )
    let loss: Loss = 'answer'
    const fromServer = framed(
      () => true,
      (type, body, whole) => {
        if (!isLosing) near.write(whole)
        if (type !== 'Z') return
        isInTransaction = body.toString('latin1') !== 'I'
        if (isLosing) end()
      },
    )
    near.on('data', fromClient)
    far.on('data', fromServer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    get lost() {
      return lost
    },
    loseNext: (loss, isMeant) => {
      wanted = { loss, isMeant }
    },
    cutWithNext: () => {
      isToBeCut = true
    },
    mend: () => {
      isToBeCut = false
      isCut = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Returns the statement that a message of the client runs, undefined when it runs none. */
function statementOf(type: string, body: Buffer, prepared: Map<string, string>): string | undefined {
  const text = (from: number): string => body.toString('utf8', from, body.indexOf(0, from))
  const clean = (statement: string): string => statement.trim().replaceAll(/\s+/g, ' ').toLowerCase()
  if (type === 'Q') return clean(text(0))
  if (type === 'P') {
    const name = text(0)
    prepared.set(name, clean(text(Buffer.byteLength(name) + 1)))
  }
  if (type !== 'B') return undefined
  const portal = text(0)
  return prepared.get(text(Buffer.byteLength(portal) + 1))
}

/** Cuts a stream into messages. @param isTyped whether the next message begins with its type: the first of a client does not. */
function framed(
  isTyped: () => boolean,
  onMessage: (type: string, body: Buffer, whole: Buffer) => void,
): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (;;) {
      const at = isTyped() ? 1 : 0
      if (rest.length < at + 4) return
      const length = at + rest.readUInt32BE(at)
      if (rest.length < length) return
      const whole = rest.subarray(0, length)
      rest = rest.subarray(length)
      onMessage(at === 1 ? whole.toString('latin1', 0, 1) : '', whole.subarray(at + 4), whole)
    }
  }
}
