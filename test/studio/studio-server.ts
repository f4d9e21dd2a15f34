import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSeededRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createFolderLedgerPlace } from '@sluice/storage'
import { readStudioFiles } from '@sluice/studio'
import { createSluice, toNodeListener } from 'sluice'
import { startReceiver } from '../support/receiver.ts'

export interface StudioServerOptions {
  /** Default a free one. */
  readonly port?: number
  /** Default one in memory. */
  readonly store?: Store
  /** Where the ledger is. Default a folder that goes when the server is closed. */
  readonly ledgerFolder?: string
  /** Whether events are also loaded into a DuckDB file. */
  readonly hasWarehouse?: boolean
}

/** A shop whose webhook refuses some events, served with the page. */
export async function createStudioServer({
  port = 0,
  ledgerFolder,
  hasWarehouse,
  ...options
}: StudioServerOptions = {}) {
  const receiver = await startReceiver(({ body }) => (body.includes('"refuse"') ? 400 : 200))
  const folder = await mkdtemp(join(tmpdir(), 'sluice-studio-'))
  const warehouse = {
    id: 'duck',
    name: 'Numbers',
    type: 'DUCKDB' as const,
    settings: { path: join(folder, 'w.duckdb') },
  }
  const sluice = await createSluice({
    workspace: {
      id: 'shop',
      name: 'Shop',
      accessTokens: [{ name: 'reader', token: 'env:READER', scopes: ['read'] }],
      sources: [{ id: 'web', name: 'Web shop', writeKey: 'web-key' }],
      destinations: [
        { id: 'hook', name: 'Hook', type: 'WEBHOOK', settings: { webhookUrl: receiver.url } },
        { id: 'off', name: 'Archive', type: 'WEBHOOK', enabled: false, settings: { webhookUrl: receiver.url } },
        ...(hasWarehouse ? [warehouse] : []),
      ],
      connections: [
        { source: 'web', destination: 'hook' },
        { source: 'web', destination: 'off' },
        ...(hasWarehouse ? [{ source: 'web', destination: 'duck' }] : []),
      ],
    },
    env: { READER: 'reader-token-of-the-shop' },
    allowAddresses: ['localhost'],
    studio: readStudioFiles(),
    ledger: { place: createFolderLedgerPlace(ledgerFolder ?? join(folder, 'ledger'), createSeededRandom(1)) },
    ...options,
  })
  const server = createServer(toNodeListener(sluice))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    sluice,
    origin,
    receiver,
    /** A link that signs in as the operator. */
    link: async (): Promise<string> => `${origin}/studio/#code=${await sluice.issueStudioCode?.()}`,
    send: (events: readonly object[]) => sluice.ingest('web-key', events),
    /** Ends all connections, as a proxy or a network does. */
    cutConnections: () => server.closeAllConnections(),
    close: async (): Promise<void> => {
      sluice.endTaps()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await sluice.stop()
      await receiver.close()
      await rm(folder, { recursive: true })
    },
  }
}

export type StudioServer = Awaited<ReturnType<typeof createStudioServer>>
