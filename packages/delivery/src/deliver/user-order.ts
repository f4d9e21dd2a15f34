/**
 * Runs tasks so that those of one user follow each other, in the order in which they were added. Tasks of different users
 * do not wait for each other. A KeyedQueue has one key for each call; a request has all users of its events, and tasks of one
 * call share their failure.
 */
export class UserOrder {
  /** The last task of each user. */
  readonly #last = new Map<string, Promise<void>>()

  /**
   * Runs tasks and waits for all of them. Tasks of the same call wait for each other even after a failure: they reject
   * with it. A failure in another call does not concern them.
   * @param tasks in order, each with all its users.
   */
  async runAll(
    tasks: readonly { readonly users: readonly string[]; run(): Promise<void> }[],
  ): Promise<readonly PromiseSettledResult<void>[]> {
    const own = new Set<Promise<void>>()
    for (const { users, run } of tasks) {
      const earlier: Promise<void>[] = []
      for (const user of users) {
        const last = this.#last.get(user)
        if (last) earlier.push(own.has(last) ? last : last.catch(() => {}))
      }
      const task = earlier.length === 0 ? run() : Promise.all(earlier).then(run)
      own.add(task)
      for (const user of users) this.#last.set(user, task)
    }
    const ended = await Promise.allSettled(own)
    for (const [user, task] of this.#last) if (own.has(task)) this.#last.delete(user)
    return ended
  }
}
