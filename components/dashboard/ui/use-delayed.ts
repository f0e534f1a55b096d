'use client';
import { useEffect, useState } from 'react';

/** True after a moment (200 ms): what comes sooner needs no sign that it is coming. */
export function useDelayed(milliseconds = 200): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return late;
}
