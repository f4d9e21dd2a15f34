import { rmSync } from 'node:fs'
import { startCommand } from '../support/processes/command.ts'

/** The server of `npm start`, for the commands of all pages. */
export interface SampleServer {
  /** The variables that pages use for it. */
  readonly env: NodeJS.ProcessEnv
  /** Text of its OpenAPI document. */
  readonly openapi: string
  /** Returns the variables that stand for ids of records, as far as a command names them. */
  idsFor(command: string): Promise<NodeJS.ProcessEnv>
  stop(): Promise<void>
}

/** Starts it with its sample events. @param data folder of its store. */
export async function startSampleServer(data: string): Promise<SampleServer> {
  const served = startCommand(['serve', '--sample', '--port', '0', '--data', data], { cwd: import.meta.dirname })
  const [, TOKEN = '', API = ''] = await served.printed(/Bearer (\S+)' (http:\/\/[^/]+)/)
  const [, ADMIN = ''] = await served.printed(/-u (admin:\S+)/)
  const [SERVICE_ADMIN_USER, SERVICE_ADMIN_PASSWORD] = ADMIN.split(':')
  const env = { API, TOKEN, ADMIN, SLUICE_URL: API, SLUICE_TOKEN: TOKEN, SERVICE_ADMIN_USER, SERVICE_ADMIN_PASSWORD }
  const ask = async (path: string, authorization: string): Promise<unknown> =>
    (await fetch(`${API}${path}`, { headers: { authorization } })).json()
  const bearer = `Bearer ${TOKEN}`
  const ids: Readonly<Record<string, () => Promise<string | undefined>>> = {
    EVENT: async () => {
      const models = await ask('/schemas/event-models', `Basic ${btoa(ADMIN)}`)
      return (models as { EventID: string }[])[0]?.EventID
    },
    MESSAGE: async () => {
      const { data } = (await ask('/v2/dead-letters?limit=1', bearer)) as { data: { messageId: string }[] }
      return data[0]?.messageId
    },
    REGULATION: async () => {
      const { data } = (await ask('/v2/regulations?limit=1000', bearer)) as { data: { id: string }[] }
      return data.at(-1)?.id
    },
  }
  return {
    env,
    openapi: await (await fetch(`${API}/openapi.json`)).text(),
    async idsFor(command) {
      const named = Object.entries(ids).filter(([name]) => command.includes(`$${name}`))
      return Object.fromEntries(await Promise.all(named.map(async ([name, find]) => [name, await find()] as const)))
    },
    async stop() {
      served.child.kill('SIGKILL')
      await served.ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}
