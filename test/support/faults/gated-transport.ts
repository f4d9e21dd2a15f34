import type { Transport } from '@sluice/delivery'

/** A transport to a destination that answers when it is allowed to. */
export interface GatedTransport extends Transport {
  /** Message ids, in the order in which they were sent. */
  readonly sent: readonly string[]
  /** Answers the next `count` requests in the order in which they arrive, and waits for them. */
  answer(count: number): Promise<void>
  /** Answers the requests of these messages, and waits for them. */
  answerTo(messageIds: readonly string[]): Promise<void>
}

export function createGatedTransport(): GatedTransport {
  const sent: string[] = []
  const held = new Map<string, () => void>()
  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
  const answerTo = async (messageIds: readonly string[]): Promise<void> => {
    for (const messageId of messageIds) {
      while (!held.has(messageId)) await soon()
      held.get(messageId)?.()
      held.delete(messageId)
    }
  }
  return {
    sent,
    async send({ body }, { signal }) {
      const messageId = String(body.JSON['messageId'])
      sent.push(messageId)
      await new Promise<void>((resolve) => {
        held.set(messageId, resolve)
        signal.addEventListener('abort', () => resolve())
      })
      return { kind: 'reply', status: 200, headers: {}, body: '' }
    },
    answer: async (count) => {
      for (let answered = 0; answered < count; answered += 1) {
        while (held.size === 0) await soon()
        await answerTo([...held.keys()].slice(0, 1))
      }
    },
    answerTo,
  }
}
