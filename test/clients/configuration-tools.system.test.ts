import { describe, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'
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

/** Types of destinations, and parts of RudderStack, that Sluice has not. */
const absent = /\btype is |featureUnsupported/
/** The deletion of what imports the library was left out of the recording. */
const leftOut = /libraryInUse/

describe.skipIf(!hasExchange)('the recorded exchange of rudder-cli and the Terraform provider', () => {
  it('has every answer with the members that the clients need, and refuses only what Sluice does not have', async () => {
    const recorded = recordedExchange()
    const replay = new ExchangeReplay(await (await serve()).api('Bearer token'), recorded)
    const replayed: Replayed[] = []
    for (const exchange of recorded) replayed.push(await replay.send(exchange))
    const of = (outcome: Replayed['outcome']) => replayed.filter((each) => each.outcome === outcome)
    const text = ({ exchange: { run, method, url }, why }: Replayed) => `${run} ${method} ${url}: ${why.slice(0, 500)}`
    expect(of('differs').map(text)).toEqual([])
    const refused = of('refused').filter(({ exchange, why }) => exchange.isWhole && !absent.test(why))
    expect(refused.filter(({ why }) => !leftOut.test(why)).map(text)).toEqual([])
    // Those left are about what was made by requests that are not in the recording, or by refused ones.
    expect(of('same').length).toBeGreaterThan(850)
  })
})
