import { execFileSync } from 'node:child_process'

/**
 * A host of its own on this machine: a network namespace that reaches this machine by a virtual cable. This machine has
 * several addresses on it, the way to each of which can be cut: what is sent there vanishes, as when a switch fails.
 */
export interface NetworkHost {
  readonly address: string
  /** What a command begins with to run there. */
  readonly command: readonly string[]
  /** Addresses of this machine, as the host sees it. */
  readonly reaches: { readonly clients: string; readonly database: string; readonly destination: string }
  cut(address: string): void
  mend(address: string): void
  remove(): void
}

const ip = (...args: readonly string[]): void => {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Why no host can be made here, undefined when one can. The reason is printed. */
export const noNetworkHosts = findReason()

function findReason(): string | undefined {
  const name = `sluice-try-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'delete', name)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n').at(-1) : String(error)
    process.stdout.write(`tests that cut networks skipped: ip netns add does not work here (${reason})\n`)
    return reason
  }
}

/** An address that belongs to no card, so that what is sent to it is thrown away. */
const nowhere = '02:00:00:00:00:01'

/** How many hosts this process has made. */
let hosts = 0

export function createNetworkHost(): NetworkHost {
  // 15 characters are the longest name of a card. Each host has names of its own: those of the last one may be there still.
  const id = (process.pid * 16 + hosts) % 100_000
  hosts += 1
  const [space, here, there] = [`sluice-${id}`, `slh${id}`, `slt${id}`]
  const net = `10.${100 + (id % 100)}.${Math.floor(id / 100) % 250}`
  const [clients, database, destination, address] = [`${net}.1`, `${net}.2`, `${net}.3`, `${net}.10`]
  ip('netns', 'add', space)
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', space)
  for (const each of [clients, database, destination]) ip('address', 'add', `${each}/24`, 'dev', here)
  ip('link', 'set', here, 'up')
  const inside = (...args: readonly string[]): void => ip('-n', space, ...args)
  inside('address', 'add', `${address}/24`, 'dev', there)
  inside('link', 'set', there, 'up')
  inside('link', 'set', 'lo', 'up')
  return {
    address,
    command: ['ip', 'netns', 'exec', space],
    reaches: { clients, database, destination },
    cut: (to) => inside('neighbour', 'replace', to, 'lladdr', nowhere, 'dev', there, 'nud', 'permanent'),
    mend: (to) => inside('neighbour', 'delete', to, 'dev', there),
    remove: () => {
      // The kernel takes its time to remove a namespace, and the cable with it.
      ip('link', 'delete', here)
      ip('netns', 'delete', space)
    },
  }
}
