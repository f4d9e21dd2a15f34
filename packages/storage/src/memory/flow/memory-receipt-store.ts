/// <reference lib="es2024.string" />
import { fairLevel } from '@sluice/core'
import type { EventReceipt, ReceiptStore } from '@sluice/pipeline'
import { compareCodePoints, createMentions } from '@sluice/schema'

export interface MemoryReceiptStore extends ReceiptStore {
  /** Stores receipts; a newer one replaces that of the same message and destination. */
  putNow(receipts: readonly EventReceipt[]): void
}

/** @param receiptsMax number of receipts to keep, over all workspaces. */
export function createMemoryReceiptStore(receiptsMax: number, requireOpen: () => void): MemoryReceiptStore {
  // Each receipt twice: by message and destination to find it, and oldest first to delete it.
  const byMessage = new Map<string, Map<string, EventReceipt>>()
  const order = new Map<string, EventReceipt>()
  const counts = new Map<string, number>()
  const count = (workspaceId: string, more: number): number => {
    const sum = (counts.get(workspaceId) ?? 0) + more
    counts.set(workspaceId, sum)
    return sum
  }
  const remove = (key: string, { workspaceId, messageId, destinationId }: EventReceipt): void => {
    order.delete(key)
    count(workspaceId, -1)
    const message = messageKey(workspaceId, messageId)
    const ofMessage = byMessage.get(message)
    ofMessage?.delete(destinationId)
    if (ofMessage?.size === 0) byMessage.delete(message)
  }
  const mentioning = (workspaceId: string, identifiers: readonly string[]) => {
    const mentions = createMentions(identifiers)
    const isIn = ({ messageId, reason = '' }: EventReceipt) => mentions.isIn(messageId) || mentions.isIn(reason)
    return [...order].filter(([, receipt]) => receipt.workspaceId === workspaceId && isIn(receipt))
  }
  return {
    receiptsMax,
    count: async (workspaceId) => {
      requireOpen()
      return count(workspaceId, 0)
    },
    putNow: (receipts) => {
      for (const receipt of receipts) {
        const key = JSON.stringify([receipt.workspaceId, receipt.messageId, receipt.destinationId])
        const kept =
          receipt.reason === undefined ? { ...receipt } : { ...receipt, reason: receipt.reason.toWellFormed() }
        if (!order.delete(key)) count(receipt.workspaceId, 1)
        order.set(key, kept)
        const message = messageKey(kept.workspaceId, kept.messageId)
        const ofMessage = byMessage.get(message) ?? new Map()
        byMessage.set(message, ofMessage.set(kept.destinationId, kept))
      }
      if (order.size <= receiptsMax) return
      const level = fairLevel(counts.values(), receiptsMax)
      for (const [key, receipt] of order) {
        if (order.size <= receiptsMax) break
        if (count(receipt.workspaceId, 0) > level) remove(key, receipt)
      }
    },
    mentioning: async (workspaceId, identifiers) => {
      requireOpen()
      return mentioning(workspaceId, identifiers).length
    },
    forget: async (workspaceId, identifiers) => {
      requireOpen()
      for (const [key, receipt] of mentioning(workspaceId, identifiers)) remove(key, receipt)
    },
    find: async (workspaceId, messageId) => {
      requireOpen()
      const found = byMessage.get(messageKey(workspaceId, messageId))?.values() ?? []
      return [...found].sort((a, b) => compareCodePoints(a.destinationId, b.destinationId))
    },
  }
}

const messageKey = (workspaceId: string, messageId: string): string => JSON.stringify([workspaceId, messageId])
