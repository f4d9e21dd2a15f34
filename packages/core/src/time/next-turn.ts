import { isCloudflareWorker } from './is-cloudflare-worker.ts'

/**
 * Calls `callback` in the next turn of the event loop: after the promises that have settled, and before timers that are
 * due later. Uses setImmediate where there is one, elsewhere a message, because browsers delay timers by 4 ms.
 * Cloudflare's Workers get a timer: a message belongs to the request that has opened its channel.
 */
export const nextTurn: (callback: () => void) => void =
  typeof globalThis.setImmediate === 'function'
    ? globalThis.setImmediate
    : isCloudflareWorker()
      ? byTimer
      : byMessages()

function byMessages(): (callback: () => void) => void {
  const waiting: (() => void)[] = []
  const { port1, port2 } = new MessageChannel()
  // TypeScript declares this member of the Web API for browsers only.
  ;(port1 as { onmessage?: () => void }).onmessage = () => waiting.shift()?.()
  return (callback) => {
    waiting.push(callback)
    port2.postMessage(undefined)
  }
}

function byTimer(callback: () => void): void {
  setTimeout(callback, 0)
}
