/** Interrupts deliveries that wait for a destination, so that they hand their events back. */
export interface WaitInterrupts {
  /** Aborts when deliveries that wait for this destination now are to stop waiting. */
  signal(workspaceId: string, destinationId: string): AbortSignal
  /** Ends the waits for a destination or, without one, for all of the workspace. Later deliveries wait again. */
  interrupt(workspaceId: string, destinationId?: string): void
  /** Ends all waits, now and later. */
  end(): void
}

export function createWaitInterrupts(): WaitInterrupts {
  /** By workspace and destination. */
  const waits = new Map<string, Map<string, AbortController>>()
  let isOver = false

  function waitOf(workspaceId: string, destinationId: string): AbortController {
    const ofWorkspace = waits.get(workspaceId) ?? new Map<string, AbortController>()
    const wait = ofWorkspace.get(destinationId) ?? new AbortController()
    if (isOver) wait.abort()
    waits.set(workspaceId, ofWorkspace.set(destinationId, wait))
    return wait
  }

  return {
    signal: (workspaceId, destinationId) => waitOf(workspaceId, destinationId).signal,
    interrupt(workspaceId, destinationId) {
      const ofWorkspace = waits.get(workspaceId)
      for (const [id, wait] of [...(ofWorkspace ?? [])]) {
        if (destinationId !== undefined && id !== destinationId) continue
        ofWorkspace?.delete(id)
        wait.abort()
      }
    },
    end() {
      isOver = true
      for (const ofWorkspace of waits.values()) for (const wait of ofWorkspace.values()) wait.abort()
    },
  }
}
