import { describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'
import { absent, inAnotherState, skippedMax } from './outside-of-the-recording.ts'
import { hasExchange, recordedExchange } from './recorded-exchange.ts'
import { ExchangeReplay, type Replayed } from './replay-exchange.ts'

const serve = serveWorkspaces({
  workspace: {
    id: 'shop',
    accessTokens: [{ name: 'all', token: hashOf('token'), scopes: ['read', 'write', 'operate', 'admin'] }],
    sources: [],
    destinations: [],
    connections: [],
  },
})

/** What a request was about, without ids: its method and path, and the code of the refusal. */
function kindOf({ exchange: { method, url }, why }: Replayed): string {
  const path = url.replace(/\?.*$/, '').replaceAll(/\/(?:[0-9a-f-]{36}|[a-z]{2,3}_\w+)(?=\/|$)/g, '/{id}')
  const [, type] = /type is \\?"(\w+)/.exec(why) ?? []
  const [, code = ''] = /"code":"(\w+)"/.exec(why) ?? []
  return `${method} ${path}: ${type ?? code}`
}

function countsOf(kinds: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of kinds.toSorted()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

describe.skipIf(!hasExchange)('the recorded exchange of rudder-cli and the Terraform provider', () => {
  it('has every answer with the members that the clients need, and refuses only what Sluice does not have', async () => {
    const recorded = recordedExchange()
    const replay = new ExchangeReplay(await (await serve()).api('Bearer token'), recorded)
    const replayed: Replayed[] = []
    for (const exchange of recorded) replayed.push(await replay.send(exchange))
    const of = (outcome: Replayed['outcome']) => replayed.filter((each) => each.outcome === outcome)
    const text = ({ exchange: { run, method, url }, why }: Replayed) => `${run} ${method} ${url}: ${why.slice(0, 500)}`
    expect(of('differs').map(text)).toEqual([])
    expect(countsOf(of('refused').map(kindOf))).toEqual({ ...absent, ...inAnotherState })
    expect(of('skipped').length).toBeLessThanOrEqual(skippedMax)
  })
})
