/** The amount one workspace holds of a shared budget. */
export class BudgetShare {
  readonly #budget: SharedBudget
  #held = 0

  constructor(budget: SharedBudget) {
    this.#budget = budget
  }

  get held(): number {
    return this.#held
  }

  /** Takes an amount; a negative amount returns it. The caller first checks that the amount may be taken. */
  take(amount: number): void {
    const before = this.#held
    this.#held += amount
    this.#budget.used += amount
    this.#budget.moved(before, this.#held)
  }

  /** The part reserved for each workspace where amounts cannot be reclaimed; `admits` always allows this much. */
  get reserved(): number {
    return this.#budget.reserved
  }

  /**
   * Whether the workspace may take more where amounts cannot be reclaimed. Half of the budget is reserved in equal
   * parts, one for each workspace; the other half is first come, first served.
   */
  get admits(): boolean {
    const { used, total } = this.#budget
    // The usual case: less than half of the total is in use.
    if (used < total / 2) return true
    if (this.#held < this.reserved) return used < total
    return this.#budget.borrowed < total / 2
  }
}

/**
 * An amount of something, such as bytes, that the workspaces of a process share. A workspace may use what is free. When
 * nothing is free, the workspace that holds most gives up some first (`firstToGiveUp`). Where amounts cannot be
 * reclaimed, a part is reserved for each workspace (`BudgetShare.admits`). So no workspace can exhaust the budget for
 * another.
 * @example
 * ```ts
 * import { SharedBudget } from '@sluice/core'
 *
 * const memory = new SharedBudget(100)
 * memory.share('a').take(90)
 * console.log(memory.firstToGiveUp('b', 20)) // a
 * ```
 */
export class SharedBudget {
  readonly total: number
  readonly shares = new Map<string, BudgetShare>()
  used = 0
  /** The shares above `reserved`, and what they hold. It is kept up with each change, because many holders ask at every value. */
  #above: { shares: number; held: number } | undefined

  constructor(total: number) {
    this.total = total
  }

  /** The part reserved for each holder. */
  get reserved(): number {
    return this.total / (2 * this.shares.size)
  }

  /** What all shares together hold beyond the parts reserved for them. */
  get borrowed(): number {
    this.#above ??= this.#sumAbove()
    return this.#above.held - this.#above.shares * this.reserved
  }

  /** Returns the share of a workspace or other holder by its id. Shares are never removed. */
  share(holder: string): BudgetShare {
    const known = this.shares.get(holder)
    if (known) return known
    const share = new BudgetShare(this)
    this.shares.set(holder, share)
    // Less is reserved for each.
    this.#above = undefined
    return share
  }

  /** To be called by a share whose amount has changed. */
  moved(before: number, after: number): void {
    const above = this.#above
    if (above === undefined) return
    const { reserved } = this
    if (before > reserved) {
      above.shares -= 1
      above.held -= before
    }
    if (after > reserved) {
      above.shares += 1
      above.held += after
    }
  }

  /**
   * Returns the holder that must give up something before another may take an amount: undefined when there is room, the
   * holder itself when it would then hold at least as much as every other.
   */
  firstToGiveUp(holder: string, amount: number): string | undefined {
    if (this.used + amount <= this.total) return undefined
    let first = holder
    let most = (this.shares.get(holder)?.held ?? 0) + amount
    for (const [id, { held }] of this.shares) if (id !== holder && held > most) [first, most] = [id, held]
    return first
  }

  #sumAbove(): { shares: number; held: number } {
    const { reserved } = this
    const above = { shares: 0, held: 0 }
    for (const { held } of this.shares.values()) {
      if (held <= reserved) continue
      above.shares += 1
      above.held += held
    }
    return above
  }
}
