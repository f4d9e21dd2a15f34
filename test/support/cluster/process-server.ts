import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dropSchema, freshSchema, postgresUrl } from '../databases/postgres.ts'
import { basic, hashOf } from '../http/api-client.ts'
import { type RunningCommand, startCommand } from '../processes/command.ts'
import { shop } from '../scenes/shop.ts'

/** A line of the log. */
interface LogLine {
  readonly pid: number
  readonly process?: number
  readonly msg: string
  readonly reason?: string
}

/** `sluice serve --processes`, as a user starts it, with a store of its own. */
export interface ProcessServer {
  readonly command: RunningCommand
  readonly folder: string
  readonly url: string
  /** Address of the separate port for the Data Governance API. */
  readonly governanceUrl: string
  /** Id of the running process with a number. */
  pid(number: number): number
  log(): readonly LogLine[]
  writeWorkspace(more?: Parameters<typeof shop>[1]): void
  /** Sends a request on a connection of its own. Resolves with its answer, undefined when the connection broke. */
  ask(path: string, options?: AskOptions): Promise<{ readonly status: number; readonly text: string } | undefined>
  /** Reads a metric without labels, or with those that the text contains. */
  metric(name: string, labels?: string): Promise<number | undefined>
  /** Ends the server at once, and removes the store. */
  close(): Promise<void>
}

interface AskOptions {
  readonly body?: object
  readonly authorization?: string
  /** Default `url`. */
  readonly at?: string
}

const admin = { SERVICE_ADMIN_USER: 'admin', SERVICE_ADMIN_PASSWORD: 'a password of the admin' }
const operator = basic('me@shop.test', 'token')

/** Resolves when all processes serve. @param args further flags. */
export async function startProcessServer(webhookUrl: string, args: readonly string[] = []): Promise<ProcessServer> {
  const schema = freshSchema()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-processes-'))
  const writeWorkspace: ProcessServer['writeWorkspace'] = (more) => {
    const accessTokens = [{ name: 'ci', token: hashOf('token') }]
    writeFileSync(join(folder, 'workspace.json'), JSON.stringify(shop(webhookUrl, { accessTokens, ...more })))
  }
  writeWorkspace()
  const store = `${postgresUrl}?schema=${schema}`
  const fixed = ['--workspace', 'workspace.json', '--store', store, '--allow-address', 'localhost', '--port', '0']
  const command = startCommand(['serve', ...fixed, '--processes', '2', '--governance-port', '0', ...args], {
    cwd: folder,
    env: { ...admin, SLUICE_STORE: '' },
  })
  let stderr = ''
  command.child.stderr?.on('data', (text: string) => {
    stderr += text
  })
  const [, url = ''] = await command.printed(/Serving on (\S+)/)
  const [, governanceUrl = ''] = await command.printed(/Data Governance API on (\S+)/)
  for (const number of [1, 2]) await command.logged(new RegExp(`"process":${number},.*"msg":"serving"`))
  const log = (): readonly LogLine[] =>
    stderr
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  const ask: ProcessServer['ask'] = (path, { body, authorization = operator, at = url } = {}) =>
    new Promise((resolve) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const method = body === undefined ? 'GET' : 'POST'
      const agent = new Agent({ keepAlive: false })
      const asked = request(`${at}${path}`, { method, headers, agent }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('error', () => resolve(undefined)).on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.on('error', () => resolve(undefined)).end(body && JSON.stringify(body))
    })
  return {
    command,
    folder,
    url,
    governanceUrl,
    log,
    writeWorkspace,
    ask,
    pid: (number) => {
      const found = log().findLast(({ process, msg }) => process === number && msg === 'serving')
      if (found === undefined) throw new Error(`process ${number} has not served`)
      return found.pid
    },
    metric: async (name, labels = '') => {
      const lines = (await ask('/metrics'))?.text.split('\n') ?? []
      const line = lines.find((each) => /^\w+/.exec(each)?.[0] === name && each.includes(labels))
      return line === undefined ? undefined : Number(line.split(' ').at(-1))
    },
    close: async () => {
      command.child.kill('SIGKILL')
      await command.ended
      rmSync(folder, { recursive: true })
      await dropSchema(schema)
    },
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
