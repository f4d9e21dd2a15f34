import { isDeepStrictEqual } from 'node:util'
import type { ApiAnswer, ApiClient } from '../support/http/api-client.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

type Json = Readonly<Record<string, unknown>>

/** What became of one recorded request. */
export interface Replayed {
  readonly exchange: RecordedExchange
  /** `skipped`: it is about something that an earlier refusal, or a command that was not recorded, had to create. */
  readonly outcome: 'same' | 'refused' | 'skipped' | 'differs'
  readonly why: string
}

/** Members that RudderStack's clients need in answers, by the path of the route: see the facts of the recording. */
const needed: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^\/v2\/catalog\/tracking-plans\/[^/]+\/events\/[^/?]+/,
    ['identitySection', 'additionalProperties', 'properties', 'variants'],
  ],
  [/^\/v2\/catalog\/(tracking-plans\/[^/]+\/)?events/, ['name', 'description', 'eventType', 'categoryId']],
  [/^\/v2\/catalog\/properties/, ['name', 'description', 'type']],
  [/^\/v2\/catalog\/custom-types/, ['name', 'description', 'type', 'config', 'properties']],
  [/^\/v2\/catalog\/categories/, ['name']],
  [/^\/v2\/catalog\/tracking-plans/, ['name', 'description']],
  [/^\/v2\/event-stream-sources/, ['name', 'type', 'enabled', 'trackingPlan']],
  [/^\/v2\/destinations/, ['name', 'type', 'version', 'enabled']],
  [/^\/v2\/connections/, ['sourceId', 'destinationId', 'enabled']],
  [/^\/(transformations|libraries)/, ['name', 'description', 'code', 'language', 'importName']],
]
/** Members that must be there, whatever their value: the recorded one may be that of an older stand-in. */
const present: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/v2\/catalog\/properties/, ['propConfig', 'definitionId', 'itemDefinitionId']],
  [/^\/v2\/catalog\//, ['id', 'externalId']],
  [/^\/v2\/catalog\/categories/, ['workspaceId']],
  [/^\/v2\/event-stream-sources/, ['id', 'externalId']],
  [/^\/v2\/destinations/, ['id', 'config', 'version']],
]

const idMembers = ['id', 'versionId']
/** Secrets were taken out of the recording. Any address is valid where a text is wanted. */
const secret = 'https://hook.test/x'

/** Sends recorded requests to a server, with the ids that it gave in place of the recorded ones. */
export class ExchangeReplay {
  readonly #api: ApiClient
  readonly #ids = new Map<string, string>()
  /** Recorded records by their ids, with the paths of their lists. */
  readonly #recorded: ReadonlyMap<string, { readonly path: string; readonly record: Json }>
  #old = 0

  constructor(api: ApiClient, exchange: readonly RecordedExchange[]) {
    this.#api = api
    this.#recorded = new Map(exchange.flatMap(recordsIn))
  }

  async send(exchange: RecordedExchange): Promise<Replayed> {
    const { method, url, status } = exchange
    for (const id of this.#unknownIn(exchange)) await this.#adopt(id)
    const [unknown] = this.#unknownIn(exchange)
    if (unknown !== undefined && status < 300) return { exchange, outcome: 'skipped', why: `${unknown} is not known` }
    let answer = await this.#call(exchange)
    if (method === 'POST' && status < 300 && /already exists|external id/.test(answer.text)) {
      await this.#rename(exchange)
      answer = await this.#call(exchange)
    }
    if (answer.status >= 300) {
      const same = status === answer.status
      return { exchange, outcome: same ? 'same' : 'refused', why: same ? '' : `${answer.status} ${answer.text}` }
    }
    this.#learn(exchange.answer, answer.body, url)
    // What was refused when it was recorded is accepted by now.
    const difference = status < 300 ? this.#difference(exchange, answer.body) : ''
    return { exchange, outcome: difference === '' ? 'same' : 'differs', why: difference }
  }

  #call({ method, url, request }: RecordedExchange): Promise<ApiAnswer> {
    const path = this.#mapped(url) as string
    const body = this.#mapped(request)
    if (method === 'GET') return this.#api.get(path)
    if (method === 'DELETE') return this.#api.delete(path)
    return method === 'POST' ? this.#api.post(path, body) : this.#api.put(path, body)
  }

  /** Gives another name to what an earlier recording left behind, where the recorded server had begun again with nothing. */
  async #rename({ url, request }: RecordedExchange): Promise<void> {
    const path = url.replace(/\?.*/, '')
    const { externalId, name, eventType } = request as Json
    for (const each of await this.#all(path)) {
      const isTwin = each['externalId'] === externalId || (each['name'] === name && each['eventType'] === eventType)
      if (!isTwin) continue
      if (path === '/libraries') {
        for (const code of await this.#all('/transformations')) await this.#api.delete(`/transformations/${code['id']}`)
        await this.#api.delete(`${path}/${String(each['id'])}`)
        continue
      }
      this.#old += 1
      await this.#api.put(`${path}/${String(each['id'])}/external-id`, { externalId: `old-${this.#old}` })
      if (!path.includes('/catalog/') || path.endsWith('/properties')) continue
      const members = ['description', 'eventType', 'type', 'config'].flatMap((key) =>
        key in each ? [[key, each[key]]] : [],
      )
      await this.#api.put(`${path}/${String(each['id'])}`, { ...Object.fromEntries(members), name: `old ${this.#old}` })
    }
  }

  /** Takes the record with the same external id for one whose creation was left out of the recording. */
  async #adopt(id: string): Promise<void> {
    const { path, record } = this.#recorded.get(id) ?? {}
    if (path === undefined || record === undefined || !record['externalId']) return
    for (const each of await this.#all(path))
      if (each['externalId'] === record['externalId'])
        for (const member of idMembers) this.#ids.set(String(record[member]), String(each[member]))
  }

  /** Returns the records of a list, of all its pages. */
  async #all(path: string): Promise<readonly Json[]> {
    const { body } = await this.#api.get(path)
    const all = [...(Object.values(body).find(Array.isArray) as readonly Json[])]
    const { total = 0 } = body as { total?: number }
    for (let page = 2; (page - 1) * 50 < total; page += 1)
      all.push(...((await this.#api.get(`${path}?page=${page}`)).body['data'] as readonly Json[]))
    return all
  }

  /** Returns the ids that a request names and that no answer gave. */
  #unknownIn({ url, request, method }: RecordedExchange): readonly string[] {
    const inPath = url
      .replace(/\?.*/, '')
      .split('/')
      .filter((part) => isId(part))
    const members = method === 'GET' ? [] : idsIn(request)
    return [...inPath, ...members].filter((id) => !this.#ids.has(id))
  }

  #mapped(value: unknown): unknown {
    if (typeof value === 'string') {
      if (value === '<removed, text>' || value === '<mask of Sluice>') return secret
      return value.startsWith('/')
        ? value.replaceAll(/[\w-]{8,}/g, (text) => this.#ids.get(text) ?? text)
        : (this.#ids.get(value) ?? value)
    }
    if (Array.isArray(value)) return value.map((each) => this.#mapped(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === 'authorizationType' ? 'legacyApiKey' : this.#mapped(member),
      ]),
    )
  }

  /** Learns which id stands for which, from answers to the same request. Lists have what one external id belongs to. */
  #learn(recorded: unknown, given: unknown, url: string): void {
    if (Array.isArray(recorded) && Array.isArray(given)) {
      if (url.includes('page=')) return
      recorded.forEach((each: unknown, i) => {
        const key = keyOf(each)
        const twin = key === undefined ? given[i] : given.find((other: unknown) => keyOf(other) === key)
        if (twin !== undefined) this.#learn(each, twin, url)
      })
      return
    }
    if (typeof recorded !== 'object' || recorded === null || typeof given !== 'object' || given === null) return
    for (const [key, value] of Object.entries(recorded)) {
      const own = (given as Json)[key]
      if (idMembers.includes(key) && typeof value === 'string' && typeof own === 'string') {
        if (!this.#ids.has(value)) this.#ids.set(value, own)
      } else if (!['code', 'input', 'actualOutput', 'config'].includes(key)) this.#learn(value, own, url)
    }
  }

  /** Whether a server that had no other requests before has the recorded state. */
  #hasState({ isWhole, method }: RecordedExchange): boolean {
    return method !== 'GET' || isWhole
  }

  #difference(exchange: RecordedExchange, body: unknown): string {
    const { url, answer, request, method } = exchange
    const [, members = []] = needed.find(([pattern]) => pattern.test(url)) ?? []
    const shown = present.filter(([pattern]) => pattern.test(url)).flatMap(([, names]) => names)
    for (const [recorded, given] of this.#pairs(answer, body)) {
      const isNothing = Object.keys(recorded).length === 0
      const missing = isNothing ? undefined : shown.find((member) => !(member in given))
      if (missing !== undefined && !url.includes('external-id') && !url.includes('/sources/')) return `no ${missing}`
      for (const member of members) {
        const value = this.#mapped(recorded[member])
        if (
          this.#hasState(exchange) &&
          member in recorded &&
          member !== 'version' &&
          !isDeepStrictEqual(sorted(value), sorted(given[member]))
        )
          return `${member} is ${JSON.stringify(given[member])}, was ${JSON.stringify(value)}`
      }
    }
    if (!/^\/v2\/destinations(\/[^/]+)?$/.test(url) || method === 'GET' || method === 'DELETE') return ''
    return configDifference(this.#mapped((request as Json)['config']), body)
  }

  /** Pairs of what an answer has and what it had: itself, or the elements of its list that are known. */
  #pairs(recorded: unknown, given: unknown): readonly (readonly [Json, Json])[] {
    if (typeof recorded !== 'object' || recorded === null || typeof given !== 'object' || given === null) return []
    const inner = ['destination', 'connection', 'source'].find((name) => name in recorded)
    if (inner) return [[(recorded as Json)[inner] as Json, ((given as Json)[inner] ?? {}) as Json]]
    const list = Object.entries(recorded).find(([name, value]) => isList(name) && Array.isArray(value))
    if (list === undefined) return [[recorded as Json, given as Json]]
    const all = ((given as Json)[list[0]] ?? []) as readonly Json[]
    return (list[1] as readonly Json[]).flatMap((each): readonly (readonly [Json, Json])[] => {
      const twin = all.find(({ id }) => id === this.#ids.get(String(each['id'])))
      return twin ? [[each, twin]] : []
    })
  }
}

function recordsIn({ url, answer }: RecordedExchange) {
  const path = url.replace(/\?.*/, '')
  const values = typeof answer === 'object' && answer !== null ? Object.values(answer) : []
  const list = values.find(Array.isArray) as readonly Json[] | undefined
  const records = [answer as Json, ...values.filter((each) => typeof each === 'object'), ...(list ?? [])] as Json[]
  return records.flatMap((record) => {
    if (typeof record?.['id'] !== 'string' || path.includes('/events/')) return []
    const base = record['name'] !== undefined && path.endsWith('/events') ? '/v2/catalog/events' : path
    return [
      [
        record['id'],
        {
          path: base
            .split('/')
            .slice(0, base.includes('catalog') ? 4 : base.startsWith('/v2') ? 3 : 2)
            .join('/'),
          record,
        },
      ],
    ] as const
  })
}

function isList(name: string): boolean {
  return ['data', 'trackingPlans', 'destinations', 'connections', 'transformations', 'libraries'].includes(name)
}

function keyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const { externalId, versionId, name } = value as Json
  return externalId || (versionId === undefined ? name : undefined) || undefined
}

function isId(part: string): boolean {
  return /^(?:[0-9a-f]{8}-[0-9a-f-]{27}|(?:tp|ev|prop|def|cat|acc|retl|dst|src|con)_\w{6,})$/.test(part)
}

function idsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return isId(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(idsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    ['input', 'expectedOutput', 'code', 'config'].includes(key) && key !== 'config' ? [] : idsIn(member),
  )
}

/** Lists of properties have no order of their own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  const { name: _, ...members } = value as Json
  return Object.fromEntries(
    Object.entries(members)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

/** Says where a configuration did not come back as it was sent, but for masks. */
function configDifference(sent: unknown, body: unknown): string {
  const given = (body as { destination?: { config?: Json } }).destination?.config ?? {}
  const wanted = (sent ?? {}) as Json
  const extra = Object.keys(given).find((key) => !(key in wanted))
  if (extra !== undefined) return `config.${extra} was not sent`
  for (const [key, value] of Object.entries(wanted)) {
    const text = JSON.stringify(given[key])
    if (text === undefined) return `config.${key} is missing`
    if (!text.includes('••••••') && !isDeepStrictEqual(given[key], value)) return `config.${key} is ${text}`
    if (typeof given[key] !== typeof value) return `config.${key} has another type`
  }
  return ''
}
