import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Packages and modules of Node with network clients of their own. Only agents are used of `http` and `https`. */
const clients =
  /^(?:@aws-sdk\/|aws-sdk$|kafkajs$|ssh2|(?:node:)?(?:net|tls|dgram|http2)$|cross-fetch$|node-fetch$|undici$|axios$|got$)/
const ownRequest = /\bhttps?_\d+(?:\.default)?\.(?:request|get)\(|\bglobalThis\.fetch\(|(?<![.\w])fetch\(/
const ownClient = /\bcreateRequestClient\)?\(/
/** Files of one definition that are read. */
const filesMax = 500

export interface OwnNetwork {
  /** Client packages it uses, such as `kafkajs`; `fetch` for direct requests. Empty: all requests go through Sluice. */
  readonly clients: readonly string[]
  /** Whether it makes request clients of `@segment/actions-core` itself. */
  readonly makesClients: boolean
}

/**
 * Finds the network clients that a definition uses besides the one it is given, by reading its compiled modules and
 * those they require by a relative path.
 *
 * @param file main file of the definition.
 */
export function findOwnNetwork(file: string): OwnNetwork {
  const found = new Set<string>()
  const seen = new Set<string>()
  let makesClients = false
  const waiting = [file]
  for (let at = waiting.pop(); at !== undefined && seen.size < filesMax; at = waiting.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const text = readFileSync(at, 'utf8')
    for (const [, name = ''] of text.matchAll(/\brequire\("([^"]+)"\)/g)) {
      if (clients.test(name)) found.add(name)
      const next = name.startsWith('.') ? moduleFile(resolve(dirname(at), name)) : undefined
      if (next) waiting.push(next)
    }
    if (ownRequest.test(text)) found.add('fetch')
    makesClients ||= ownClient.test(text)
  }
  return { clients: [...found].sort(), makesClients }
}

function moduleFile(path: string): string | undefined {
  return [path, `${path}.js`, join(path, 'index.js')].find((each) => each.endsWith('.js') && existsSync(each))
}
