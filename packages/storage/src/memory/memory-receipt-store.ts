/// <reference lib="es2024.string" />
import { fairLevel } from '@sluice/core'
import type { EventReceipt, ReceiptStore } from '@sluice/pipeline'
import { compareCodePoints } from '@sluice/schema'

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
      for (const [key, { workspaceId, messageId, destinationId }] of order) {
        if (order.size <= receiptsMax) break
        if (count(workspaceId, 0) <= level) continue
        order.delete(key)
        count(workspaceId, -1)
        const message = messageKey(workspaceId, messageId)
        const ofMessage = byMessage.get(message)
        ofMessage?.delete(destinationId)
        if (ofMessage?.size === 0) byMessage.delete(message)
      }
    },
    find: async (workspaceId, messageId) => {
      requireOpen()
      const found = byMessage.get(messageKey(workspaceId, messageId))?.values() ?? []
      return [...found].sort((a, b) => compareCodePoints(a.destinationId, b.destinationId))
    },
  }
}

const messageKey = (workspaceId: string, messageId: string): string => JSON.stringify([workspaceId, messageId])
