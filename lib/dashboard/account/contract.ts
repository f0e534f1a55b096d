// A user's own account as the server returns it. Times are ISO 8601.

export type OwnSession = {
  id: string;
  /** As `Firefox 132, Linux`. */
  device: string;
  address: string | null;
  signedInAt: string;
  /** Rounded to a quarter of an hour. */
  usedAt: string;
  /** The session of this request. */
  here: boolean;
};

export type AccountData = {
  name: string;
  email: string;
  role: string;
  /** Null for users who manage every merchant. */
  merchant: string | null;
  secondFactor: {
    on: boolean;
    /** The role requires a second factor: it cannot be turned off. */
    demanded: boolean;
    /** Unused recovery codes; null without a second factor. */
    codesLeft: number | null;
  };
  sessions: OwnSession[];
};

/** An authenticator during its setup: a QR code as one SVG path, and the secret as text in groups of four. */
export type Enrolment = { size: number; path: string; secret: string; uri: string };

/** Recovery codes, shown once. */
export type RecoveryCodes = { codes: string[] };
