/**
 * Runs tasks so that those of one user follow each other, in the order in which they were added. Tasks of different users
 * do not wait for each other. A KeyedQueue has one key for each call; a request has all users of its events, and tasks of one
 * call share their failure.
 */
export class UserOrder {
  /** The last task of each user, or the run of many in which it is. */
  readonly #last = new Map<string, Promise<void> | UsersUnderWay>()

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
        if (last instanceof Promise && own.has(last)) earlier.push(last)
        else {
          const before = lastOf(user, last)
          if (before) earlier.push(before)
        }
      }
      const task = earlier.length === 0 ? run() : Promise.all(earlier).then(run)
      own.add(task)
      for (const user of users) this.#last.set(user, task)
    }
    const ended = await Promise.allSettled(own)
    for (const [user, task] of this.#last) if (task instanceof Promise && own.has(task)) this.#last.delete(user)
    return ended
  }

  /**
   * Adds a run that has tasks of a user: later ones of the user wait until it has ended them.
   * @returns what the run has to wait for before the first of them; undefined when nothing is under way for the user.
   */
  enter(user: string, run: UsersUnderWay): Promise<void> | undefined {
    const before = lastOf(user, this.#last.get(user))
    this.#last.set(user, run)
    return before
  }

  /** The run has ended its tasks of a user. */
  leave(user: string, run: UsersUnderWay): void {
    if (this.#last.get(user) === run) this.#last.delete(user)
  }
}

/** Tasks of many users that run together. */
export interface UsersUnderWay {
  /** Resolves when those of a user have ended; undefined when they have. */
  ended(user: string): Promise<void> | undefined
}

/** A failure is not passed on. */
function lastOf(user: string, last: Promise<void> | UsersUnderWay | undefined): Promise<void> | undefined {
  return last instanceof Promise ? last.catch(() => {}) : last?.ended(user)
}
