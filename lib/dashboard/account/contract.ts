// A person's own account as it comes from the server. Times are ISO 8601.

export type OwnSession = {
  id: string;
  /** As `Firefox 132, Linux`. */
  device: string;
  address: string | null;
  signedInAt: string;
  /** To a quarter of an hour. */
  usedAt: string;
  /** The one that asks. */
  here: boolean;
};

export type AccountData = {
  name: string;
  email: string;
  role: string;
  /** Null for those who look after every merchant. */
  merchant: string | null;
  secondFactor: {
    on: boolean;
    /** The role asks for one: it cannot be switched off. */
    demanded: boolean;
    /** Recovery codes that were not used yet; null without a second factor. */
    codesLeft: number | null;
  };
  sessions: OwnSession[];
};

/** An authenticator that is being set up: as a QR code in one SVG path, and as text in groups of four. */
export type Enrolment = { size: number; path: string; secret: string; uri: string };

/** Recovery codes, shown once. */
export type RecoveryCodes = { codes: string[] };
