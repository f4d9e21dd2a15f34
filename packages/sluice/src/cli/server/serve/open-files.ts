import { readFileSync } from 'node:fs'

/** Files and connections that everything but the server needs: stores, destinations, children, logs. */
const otherFiles = 500

/** How many connections of clients a process can hold. */
interface ConnectionRoom {
  readonly connectionsMax: number
  /** The limit of open files, when it allows fewer connections than are wanted. */
  readonly openFiles?: number
}

/**
 * Lowers the limit of connections to what the system lets the process open: beyond its limit of open files, the system
 * resets connections without a word, and stores and destinations fail as well.
 * @param openFiles limit of the system; undefined where it is not known.
 */
export function connectionRoom(wanted: number, openFiles: number | undefined): ConnectionRoom {
  if (openFiles === undefined) return { connectionsMax: wanted }
  const possible = Math.max(openFiles - otherFiles, Math.floor(openFiles / 2), 1)
  return wanted <= possible ? { connectionsMax: wanted } : { connectionsMax: possible, openFiles }
}

/** Returns how many files this process may have open. Undefined without a limit, and where the system does not say. */
export function openFilesMax(): number | undefined {
  try {
    const found = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found === null ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}
