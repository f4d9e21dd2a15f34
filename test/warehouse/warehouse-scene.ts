import { createSluice, type Sluice } from 'sluice'
import { expect } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

export interface WarehouseScene {
  readonly sluice: Sluice
  /** What the logs have for the operator. */
  readonly errors: readonly string[]
  /** Ids of all events that were sent. */
  readonly sent: readonly string[]
  /** Sends events. @param size characters of a property. */
  send(count: number, size?: number): Promise<void>
  /** How many events the webhook has. */
  arrived(): number
}

/**
 * A workspace with a warehouse to which rows are only added, so that a load that happened twice is seen, and a webhook.
 * @param onEnd takes what is to be called after the test.
 */
export async function warehouseScene(
  type: string,
  settings: object,
  onEnd: (close: () => unknown) => void,
): Promise<WarehouseScene> {
  const hook: Receiver = await startReceiver()
  onEnd(() => hook.close())
  const errors: string[] = []
  const sluice: Sluice = await createSluice({
    workspace: uncheckedWorkspace({
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [
        { id: 'house', type, settings: { syncSeconds: 1, syncEvents: 20, ...settings } },
        { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: hook.url } },
      ],
      connections: ['house', 'hook'].map((destination) => ({ source: 's', destination })),
    }),
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    onError: (error) => errors.push(error instanceof Error ? error.message : String(error)),
  })
  onEnd(() => sluice.stop(2_000))
  const sent: string[] = []
  /** Sends events. @param size characters of a property. */
  const send = async (count: number, size = 10): Promise<void> => {
    const events = Array.from({ length: count }, () => {
      const messageId = `m${String(sent.length).padStart(5, '0')}`
      sent.push(messageId)
      return { type: 'track', event: 'Bought', userId: messageId, messageId, properties: { note: 'x'.repeat(size) } }
    })
    expect((await sluice.ingest('k', events)).ok).toBe(true)
  }
  const arrived = (): number => hook.received.length
  return { sluice, errors, sent, send, arrived }
}
