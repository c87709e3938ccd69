echo x
exit 0
echo never
