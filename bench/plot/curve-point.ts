/** What one event costs in some surroundings: a point of a curve. */
export interface CurvePoint {
  /** What changes along the curve, such as `events per call`. */
  readonly axis: string
  /** Where on the axis, such as `20`. */
  readonly at: string
  /** CPU of all threads per delivery. */
  readonly cpuMicroseconds: number
  /** The same of the least program, measured in turn. */
  readonly leastMicroseconds: number
  /** The most memory that the process had, in MiB. */
  readonly peakMb: number
}
