/// <reference lib="es2024.string" />
import type { EventReceipt, ReceiptStore } from '@sluice/pipeline'
import { compareCodePoints } from '@sluice/schema'

export interface MemoryReceiptStore extends ReceiptStore {
  /** Keeps the receipts; the newest one of a message and destination counts. */
  putNow(receipts: readonly EventReceipt[]): void
}

/** @param receiptsMax how many receipts are kept, over all workspaces. */
export function createMemoryReceiptStore(receiptsMax: number, requireOpen: () => void): MemoryReceiptStore {
  // The same receipts twice: by message and destination to find them, and oldest first to forget them.
  const byMessage = new Map<string, Map<string, EventReceipt>>()
  const order = new Map<string, EventReceipt>()
  return {
    putNow: (receipts) => {
      for (const receipt of receipts) {
        const key = JSON.stringify([receipt.workspaceId, receipt.messageId, receipt.destinationId])
        const kept =
          receipt.reason === undefined ? { ...receipt } : { ...receipt, reason: receipt.reason.toWellFormed() }
        order.delete(key)
        order.set(key, kept)
        const message = messageKey(kept.workspaceId, kept.messageId)
        const ofMessage = byMessage.get(message) ?? new Map()
        byMessage.set(message, ofMessage.set(kept.destinationId, kept))
      }
      for (const [key, { workspaceId, messageId, destinationId }] of order) {
        if (order.size <= receiptsMax) break
        order.delete(key)
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
