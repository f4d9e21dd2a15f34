import { type BudgetShare, SharedBudget } from '@sluice/core'

/**
 * Bytes that all bodies being read may take together, shared by the workspaces they are sent to. When there is no room,
 * the oldest body of the workspace that holds most is cut off, so that no sender can keep another workspace's out.
 */
export class BodyBudget {
  readonly #budget: SharedBudget
  /** By workspace, the oldest first. */
  readonly #open = new Map<string, Set<OpenBody>>()

  constructor(bytesMax: number) {
    this.#budget = new SharedBudget(bytesMax)
  }

  get bytesMax(): number {
    return this.#budget.total
  }

  /** Bytes that the bodies of a workspace hold now. */
  held(workspaceId: string): number {
    return this.#budget.shares.get(workspaceId)?.held ?? 0
  }

  /** Begins a body. It is to be closed, whatever happens. */
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

/** A body that is being read. */
export class OpenBody {
  readonly #options: OpenBodyOptions
  #held = 0
  #isCut = false
  /** Called when the body has to make room for one of another workspace. */
  onCut: () => void = () => {}

  constructor(options: OpenBodyOptions) {
    this.#options = options
  }

  get held(): number {
    return this.#held
  }

  /** Takes bytes that have arrived. @returns false when there is no room for them, or the body was cut off. */
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
