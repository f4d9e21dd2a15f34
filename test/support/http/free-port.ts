import { createServer } from 'node:net'

/**
 * Ports below those that systems hand out for `listen(0)`, so that no test which runs beside can be given one. Those of a
 * Redis cluster are 10,000 higher, and still below.
 */
const soon = { first: 20_000, count: 2_700 }
/** Between the two: for servers that listen seconds later, so that no other test takes their ports meanwhile. */
export const forLater = { first: 23_000, count: 6_000 }

/** A port of localhost at which nothing listens, and at which no server with a port of its system's choice will. */
export async function freePort({ first, count } = soon): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = first + Math.floor(Math.random() * count)
    if (await isFree(port)) return port
  }
  throw new Error(`No free port was found between ${first} and ${first + count}.`)
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
