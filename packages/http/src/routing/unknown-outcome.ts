/** Header of an answer that refuses a call whose writes may be stored: the store did not answer, and could not be asked. */
export const unknownOutcome = ['Sluice-Outcome', 'unknown'] as const
