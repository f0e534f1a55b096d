'use client';
import { useEffect, useState } from 'react';

/** True after 200 ms: faster results need no loading indicator. */
export function useDelayed(milliseconds = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}
