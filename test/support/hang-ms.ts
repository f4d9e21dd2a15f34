/** Time after which whatever a test waits for counts as hung, in milliseconds: far above what takes long on a busy machine. */
export const hangMs = 90_000
