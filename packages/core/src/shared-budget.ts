/** What one workspace holds of a shared budget. */
export class BudgetShare {
  readonly #budget: SharedBudget
  #held = 0

  constructor(budget: SharedBudget) {
    this.#budget = budget
  }

  get held(): number {
    return this.#held
  }

  /** Takes an amount, or gives it back when it is below 0. What may be taken is for the caller to ask first. */
  take(amount: number): void {
    this.#held += amount
    this.#budget.used += amount
  }

  /** The part no other workspace gets where nothing can be taken back; `admits` always lets this one have it. */
  get reserved(): number {
    return this.#budget.total / (2 * this.#budget.shares.size)
  }

  /**
   * Whether the workspace may take more where nothing can be taken back. Half of the budget is divided equally, and kept for
   * each workspace; the other half goes to whichever comes first.
   */
  get admits(): boolean {
    const { used, total, shares } = this.#budget
    // Mostly it ends here: less than half is used in all.
    if (used < total / 2) return true
    const { reserved } = this
    if (this.#held < reserved) return used < total
    let borrowed = used
    for (const share of shares.values()) borrowed -= Math.min(share.held, reserved)
    return borrowed < total / 2
  }
}

/**
 * An amount of something that the workspaces of a process share, such as bytes. A workspace may use what is free. When
 * nothing is, the workspace that holds most gives up first (`firstToGiveUp`). Where nothing can be taken back, a part is
 * kept for each workspace (`BudgetShare.admits`). So no workspace can use up a budget for another.
 */
export class SharedBudget {
  readonly total: number
  readonly shares = new Map<string, BudgetShare>()
  used = 0

  constructor(total: number) {
    this.total = total
  }

  /** The share of a workspace, or of another holder by its id; it stays known. */
  share(holder: string): BudgetShare {
    const known = this.shares.get(holder) ?? new BudgetShare(this)
    this.shares.set(holder, known)
    return known
  }

  /**
   * The holder that gives up something before another takes an amount: undefined when there is room, and the holder itself when it
   * would hold as much as any other.
   */
  firstToGiveUp(holder: string, amount: number): string | undefined {
    if (this.used + amount <= this.total) return undefined
    let first = holder
    let most = (this.shares.get(holder)?.held ?? 0) + amount
    for (const [id, { held }] of this.shares) if (id !== holder && held > most) [first, most] = [id, held]
    return first
  }
}
