import type { ChildProcess } from 'node:child_process'

/** What `node:cluster` sends with a connection that it gives to a process. */
interface Given {
  readonly seq?: number
}

/**
 * Closes the connections that a process was given and had not taken when it ended: `node:cluster` forgets them open, so that a
 * client without a time limit would wait for ever. It counts on how cluster sends them: with a number, which the process
 * repeats. Without that it does nothing.
 */
export function closeGivenConnections(child: ChildProcess): void {
  const given = new Map<number, unknown>()
  let hasEnded = false
  const send = child.send.bind(child) as (...args: readonly unknown[]) => boolean
  const sendWatched = (message: unknown, connection: unknown, ...more: readonly unknown[]): boolean => {
    const { seq } = (message ?? {}) as Given
    if (isClosable(connection) && hasEnded) connection.close()
    else if (isClosable(connection) && seq !== undefined) given.set(seq, connection)
    return send(message, connection, ...more)
  }
  Object.assign(child, { send: sendWatched })
  child.on('internalMessage', ({ ack }: { readonly ack?: number }) => void (ack !== undefined && given.delete(ack)))
  child.once('exit', () => {
    hasEnded = true
    for (const connection of given.values()) if (isClosable(connection)) connection.close()
    given.clear()
  })
}

function isClosable(value: unknown): value is { close(): void } {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
}
