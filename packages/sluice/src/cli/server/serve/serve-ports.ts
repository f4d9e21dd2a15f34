export interface AdminCredentials {
  readonly user: string
  readonly password: string
}

export interface Ports {
  readonly main: number
  readonly governance?: number
}
