import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiAnswer, type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'

interface RecordedCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `{name}` stands for a value that an earlier answer gave. */
  readonly path: string
  readonly body?: object
  readonly status: number
  /** Members that the client's decoder reads, with their values; "…" for any text. */
  readonly answer?: object
  /** Names for values of the answer, by their path in it. */
  readonly remember?: Readonly<Record<string, string>>
}

interface Recording {
  readonly client: string
  readonly cases: readonly { readonly name: string; readonly calls: readonly RecordedCall[] }[]
}

const recordings = ['rudder-api-go', 'rudder-iac'].map(
  (name) => JSON.parse(readFileSync(join(import.meta.dirname, `client-calls/${name}.json`), 'utf8')) as Recording,
)

let sluice: Sluice
let api: ApiClient

beforeEach(async () => {
  sluice = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [{ name: 'all', token: hashOf('token') }],
      sources: [],
      destinations: [],
      connections: [],
    },
  })
  api = await createApiClient(sluice, 'Bearer token')
})

afterEach(() => sluice.stop())

async function send({ method, path, body }: RecordedCall): Promise<ApiAnswer> {
  if (method === 'GET') return api.get(path)
  if (method === 'DELETE') return api.delete(path)
  return method === 'POST' ? api.post(path, body) : api.put(path, body)
}

function filled<T>(value: T, known: ReadonlyMap<string, string>): T {
  return JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (text, name: string) => known.get(name) ?? text))
}

function expected(value: unknown): unknown {
  if (value === '…') return expect.any(String)
  if (Array.isArray(value)) return value.map(expected)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expected(member)]))
}

function valueAt(body: unknown, path: string): string {
  let value = body
  for (const key of path.split('.')) value = (value as Record<string, unknown>)[key]
  return String(value)
}

for (const { client, cases } of recordings)
  describe(`the calls of ${client}`, () => {
    for (const { name, calls } of cases)
      it(name, async () => {
        const known = new Map<string, string>()
        for (const recorded of calls) {
          const call = filled(recorded, known)
          const answer = await send(call)
          expect([call.method, call.path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([
            call.method,
            call.path,
            call.status,
            call.status < 300 ? '' : answer.text,
          ])
          if (call.answer) expect(answer.body).toMatchObject(expected(call.answer) as object)
          for (const [key, path] of Object.entries(call.remember ?? {})) known.set(key, valueAt(answer.body, path))
        }
      })
  })
