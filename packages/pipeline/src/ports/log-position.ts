/** Position of a batch in the log of its workspace: assigned by the log, growing, with gaps. 0 is before the first. */
export type LogPosition = number
