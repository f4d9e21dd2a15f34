const nothing = (): undefined => undefined

/**
 * Creates the contexts that Segment's platform gives to actions. Some actions call their members without checking that
 * they exist. Here they have no effect. New ones for each run, because actions add tags.
 */
export const createInertContext = () => ({
  features: {},
  statsContext: {
    statsClient: {
      observe: nothing,
      incr: nothing,
      set: nothing,
      histogram: nothing,
      _name: (name: string): string => name,
      _tags: (tags: readonly string[] = []): readonly string[] => tags,
    },
    tags: [],
  },
  logger: {
    level: 'error',
    name: 'sluice',
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    crit: nothing,
    log: nothing,
    withTags: nothing,
  },
  transactionContext: { transaction: {}, setTransaction: nothing },
  stateContext: { getRequestContext: nothing, setResponseContext: nothing },
  subscriptionMetadata: {},
})
