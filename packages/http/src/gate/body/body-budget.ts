import { type BudgetShare, SharedBudget } from '@sluice/core'

/**
 * Limits the memory of all request bodies that are being read or wait to be parsed, shared by workspaces. When it is full, the oldest body
 * of the workspace that holds most is aborted, so that no sender can block other workspaces.
 */
export class BodyBudget {
  readonly #budget: SharedBudget
  /** Bodies by workspace, oldest first. */
  readonly #open = new Map<string, Set<OpenBody>>()

  constructor(bytesMax: number) {
    this.#budget = new SharedBudget(bytesMax)
  }

  get bytesMax(): number {
    return this.#budget.total
  }

  /** Returns the bytes that the bodies of a workspace hold now. */
  held(workspaceId: string): number {
    return this.#budget.shares.get(workspaceId)?.held ?? 0
  }

  /** Registers a body. The caller must close it in every case. */
  open(workspaceId: string): OpenBody {
    const ofWorkspace = this.#open.get(workspaceId) ?? new Set()
    this.#open.set(workspaceId, ofWorkspace)
    const body = new OpenBody({
      share: this.#budget.share(workspaceId),
      makeRoom: (bytes) => this.#makeRoom(workspaceId, bytes),
      onClose: () => ofWorkspace.delete(body),
    })
    ofWorkspace.add(body)
    return body
  }

  #makeRoom(workspaceId: string, bytes: number): boolean {
    for (;;) {
      const first = this.#budget.firstToGiveUp(workspaceId, bytes)
      if (first === undefined) return true
      const oldest = first === workspaceId ? undefined : this.#oldest(first)
      if (oldest === undefined) return false
      oldest.cut()
    }
  }

  #oldest(workspaceId: string): OpenBody | undefined {
    for (const body of this.#open.get(workspaceId) ?? []) if (body.held > 0) return body
    return undefined
  }
}

interface OpenBodyOptions {
  readonly share: BudgetShare
  makeRoom(bytes: number): boolean
  onClose(): void
}

/** A request body that is being read, or waits to be parsed. */
export class OpenBody {
  readonly #options: OpenBodyOptions
  #held = 0
  #isCut = false
  /** Called when the body is aborted to make room for another workspace. */
  onCut: () => void = () => {}

  constructor(options: OpenBodyOptions) {
    this.#options = options
  }

  get held(): number {
    return this.#held
  }

  /** Whether the body was aborted: it must not be used. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Reserves room for bytes that have arrived. @returns false when there is none, or the body was aborted. */
  take(bytes: number): boolean {
    if (this.#isCut || !this.#options.makeRoom(bytes)) return false
    this.#held += bytes
    this.#options.share.take(bytes)
    return true
  }

  cut(): void {
    this.#isCut = true
    this.close()
    this.onCut()
  }

  close(): void {
    this.#options.share.take(-this.#held)
    this.#held = 0
    this.#options.onClose()
  }
}
