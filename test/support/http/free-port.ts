import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Ports below those that systems hand out for `listen(0)`, so that no server with a port of its system's choice has one of
 * them. Those of a Redis cluster are 10,000 higher, and still below.
 */
const ports = { first: 20_000, count: 2_700 }

/** Folders named after ports, each with the id of the process whose port it is. */
const folder = join(tmpdir(), 'sluice-ports')
const held = new Set<string>()
process.on('exit', () => {
  for (const place of held) rmSync(place, { recursive: true, force: true })
})

/**
 * A port of localhost at which nothing listens, and which no other call returns until this process has ended, in this
 * process or in another one.
 *
 * Only for servers that cannot listen on port 0 and report their port: `redis-server`, `postgres` and `workerd` take a
 * number; a server that restarts returns to its port; commands of pages contain the number before they run. And for
 * addresses at which nothing must listen. All others listen on 0.
 */
export async function freePort(): Promise<number> {
  mkdirSync(folder, { recursive: true })
  // Processes begin at different places, so that they seldom meet.
  for (let step = 0; step < ports.count; step += 1) {
    const port = ports.first + ((process.pid * 37 + held.size + step) % ports.count)
    if (!hold(join(folder, String(port)))) continue
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${ports.first} to ${ports.first + ports.count - 1} is free.`)
}

/** Makes the folder of a port. @returns false when another process that lives has made it, or this one. */
function hold(place: string): boolean {
  try {
    mkdirSync(place)
  } catch {
    if (held.has(place) || isAlive(ownerOf(place))) return false
    // Its process was killed.
    rmSync(place, { recursive: true, force: true })
    return hold(place)
  }
  writeFileSync(join(place, 'pid'), String(process.pid))
  held.add(place)
  return true
}

/** @returns undefined while the owner has not written its id. */
function ownerOf(place: string): number | undefined {
  try {
    return Number(readFileSync(join(place, 'pid'), 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listens) await new Promise((resolve) => server.close(resolve))
  return listens
}
