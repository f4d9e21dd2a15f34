/** How long those who deliver wait for destinations: until they are to hand back what they wait with. */
export interface Patience {
  /** Aborts when whoever began to wait for the destination before is to wait no more. */
  signal(workspaceId: string, destinationId: string): AbortSignal
  /** Ends the waits for a destination or, without one, for all of the workspace. Who begins later waits again. */
  interrupt(workspaceId: string, destinationId?: string): void
  /** Ends all waits, for ever. */
  end(): void
}

export function createPatience(): Patience {
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
